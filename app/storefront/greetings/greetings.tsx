import { type ComponentType, lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { readConsent, rememberPath } from '#app/data/cookie-consent.ts'
import { releaseSpace } from '#app/data/cookie-space.ts'
import { tabStore } from '#app/ui/browser-store.ts'
import { useLatestLocation } from '#app/ui/use-latest-location.ts'
import { CookieBanner } from './cookie-banner.tsx'

const BANNER_DELAY_MS = 1_000
const POPUP_SCROLL_PX = 500
const POPUP_SHOWN_KEY = 'discount_popup_shown'

type Popup = ComponentType<{ onClose: () => void }>
const NoPopup: Popup = () => null
// A popup that fails to load is not shown, instead of breaking the page.
const loadPopup = () => import('./discount-popup.tsx')
const DiscountPopup = lazy<Popup>(() =>
  loadPopup().then(
    (module) => ({ default: module.DiscountPopup }),
    () => ({ default: NoPopup }),
  ),
)

/** Shows the cookie banner and the discount popup, one at a time. */
export function Greetings() {
  const { pathname, search } = useLocation()
  const [bannerState, setBannerState] = useState<'pending' | 'open' | 'closed'>('pending')
  const [isPopupOpen, setIsPopupOpen] = useState(false)
  const closeBanner = useCallback(() => {
    setBannerState('closed')
    releaseSpace()
  }, [])

  useEffect(() => {
    // Home with a `redirect` leads on to the page remembered before.
    if (!new URLSearchParams(search).has('redirect')) rememberPath(pathname)
  }, [pathname, search])
  useEffect(() => {
    const isAnswered = readConsent().hasResponded
    const next = isAnswered ? 'closed' : 'open'
    const timer = setTimeout(() => setBannerState(next), isAnswered ? 0 : BANNER_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  useScrolledPastHero({
    isEnabled: pathname === '/' && bannerState !== 'open' && !isPopupOpen,
    onScrolledPast: () => setIsPopupOpen(true),
  })

  return (
    <>
      {bannerState !== 'closed' && (
        <CookieBanner isVisible={bannerState === 'open' && !isPopupOpen} onClose={closeBanner} />
      )}
      <Suspense>{isPopupOpen && <DiscountPopup onClose={() => setIsPopupOpen(false)} />}</Suspense>
    </>
  )
}

/** Calls back once per session when the visitor scrolls past the hero and is not busy. */
function useScrolledPastHero({
  isEnabled,
  onScrolledPast,
}: {
  isEnabled: boolean
  onScrolledPast: () => void
}) {
  const latest = useLatestLocation()
  useEffect(() => {
    if (!isEnabled || tabStore().getItem(POPUP_SHOWN_KEY)) return
    const controller = new AbortController()
    const onScroll = async () => {
      if (scrollY <= POPUP_SCROLL_PX || isVisitorBusy()) return
      await loadPopup().catch(() => undefined)
      // The visitor may have become busy while the popup loaded, or opened another page, which is drawn a moment later.
      if (controller.signal.aborted || latest().pathname !== '/' || isVisitorBusy()) return
      tabStore().setItem(POPUP_SHOWN_KEY, 'true')
      onScrolledPast()
    }
    addEventListener('scroll', onScroll, { passive: true, signal: controller.signal })
    return () => controller.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- The latest callback is not needed.
  }, [isEnabled])
}

/** An only option is preselected, so it does not count as the visitor's choice. */
const CHOSEN_OPTION = 'main [aria-pressed="true"]:not(:only-child)'

/** True while a dialog is open, a field has the focus, or a colour or hooks are chosen: the popup must not interrupt a purchase. */
function isVisitorBusy(): boolean {
  return document.querySelector(`dialog[open], input:focus, ${CHOSEN_OPTION}`) !== null
}
