import { type ComponentType, lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { readConsent, rememberPath } from '#app/session/cookie-consent.ts'
import { releaseSpace } from '#app/session/cookie-space.ts'
import { tabStore } from '#app/ui/browser-store.ts'
import { CookieQuestion } from './cookie-question.tsx'

const QUESTION_DELAY_MS = 1_000
const POPUP_SCROLL_PX = 500
const POPUP_SHOWN_KEY = 'discount_popup_shown'

type Popup = ComponentType<{ onClose: () => void }>
const Nothing: Popup = () => null
// No greeting is worth a broken page: what does not load does not show.
const loadPopup = () => import('./discount-popup.tsx')
const DiscountPopup = lazy<Popup>(() =>
  loadPopup().then(
    (module) => ({ default: module.DiscountPopup }),
    () => ({ default: Nothing }),
  ),
)

/** The question about cookies and the discount, one at a time. */
export function Greetings() {
  const { pathname, search } = useLocation()
  const [question, setQuestion] = useState<'to-come' | 'asked' | 'over'>('to-come')
  const [isPopupOpen, setIsPopupOpen] = useState(false)
  const endQuestion = useCallback(() => {
    setQuestion('over')
    releaseSpace()
  }, [])

  useEffect(() => {
    // Home with a `redirect` is on the way to the page remembered before.
    if (!new URLSearchParams(search).has('redirect')) rememberPath(pathname)
  }, [pathname, search])
  useEffect(() => {
    const isAnswered = readConsent().hasResponded
    const next = isAnswered ? 'over' : 'asked'
    const timer = setTimeout(() => setQuestion(next), isAnswered ? 0 : QUESTION_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  usePastTheHero({
    isWatching: pathname === '/' && question !== 'asked' && !isPopupOpen,
    onPast: () => setIsPopupOpen(true),
  })

  return (
    <>
      {question !== 'over' && (
        <CookieQuestion isAsked={question === 'asked' && !isPopupOpen} onClose={endQuestion} />
      )}
      <Suspense>{isPopupOpen && <DiscountPopup onClose={() => setIsPopupOpen(false)} />}</Suspense>
    </>
  )
}

/** Tells once a session that somebody has scrolled on, unless they are in the middle of something. */
function usePastTheHero({ isWatching, onPast }: { isWatching: boolean; onPast: () => void }) {
  useEffect(() => {
    if (!isWatching || tabStore().getItem(POPUP_SHOWN_KEY)) return
    const stopped = new AbortController()
    const look = async () => {
      if (scrollY <= POPUP_SCROLL_PX || isBusy()) return
      await loadPopup().catch(() => undefined)
      // It never comes over what was begun while it was on its way.
      if (stopped.signal.aborted || isBusy()) return
      tabStore().setItem(POPUP_SHOWN_KEY, 'true')
      onPast()
    }
    addEventListener('scroll', look, { passive: true, signal: stopped.signal })
    return () => stopped.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- What is told does not depend on who listens.
  }, [isWatching])
}

/** What is the only one of its kind is chosen from the start, by nobody. */
const CHOSEN = 'main [aria-pressed="true"]:not(:only-child)'

/** In the cart, the menu or the search, typing, or with a colour or hooks chosen: buying comes first. */
function isBusy(): boolean {
  return document.querySelector(`dialog[open], input:focus, ${CHOSEN}`) !== null
}
