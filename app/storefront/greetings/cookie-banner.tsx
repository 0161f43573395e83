import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { answerCookies, rememberPath } from '#app/session/cookie-consent.ts'
import { Button } from '#app/ui/button.tsx'
import styles from './cookie-banner.module.css'
import { useFreeEdge } from './use-free-edge.ts'

/** Asks once. Esc puts the question off until the next visit; until it is answered nothing is remembered. */
export function CookieBanner({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const banner = useRef<HTMLElement>(null)
  const edge = useFreeEdge(banner)

  const answer = (isAccepted: boolean) => {
    answerCookies(isAccepted)
    rememberPath(pathname)
    onClose()
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // In a dialog the key is the dialog's.
      if (event.key === 'Escape' && !document.querySelector('dialog[open], :popover-open')) onClose()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onClose])

  return (
    <section ref={banner} className={styles.banner} data-edge={edge} aria-labelledby="cookie-question">
      <h2 id="cookie-question" className={styles.title}>
        Cookies?
      </h2>
      <p className={styles.words}>
        May we remember the last page you looked at, to bring you back to it after you sign in? We share it
        with nobody. <Link to="/cookie-policy">Cookie Policy</Link>
      </p>
      <div className={styles.answers}>
        <Button onClick={() => answer(true)}>Accept</Button>
        <Button onClick={() => answer(false)}>Decline</Button>
      </div>
    </section>
  )
}
