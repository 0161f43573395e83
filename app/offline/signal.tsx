import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { savesData } from '#app/ui/visitor-wishes.ts'
import { keepForLater, startWorker } from './keep-for-later.ts'
import styles from './signal.module.css'

/** Says when there is no signal and when data is saved, and has what is seen kept for later. */
export function Signal() {
  const isOnline = useSyncExternalStore(followSignal, () => navigator.onLine)
  const { pathname } = useLocation()

  useEffect(() => void startWorker(), [])
  useEffect(() => keepForLater(pathname), [pathname])
  useEffect(() => (isOnline ? undefined : leadToKeptPages()), [isOnline])

  return (
    <>
      {savesData() && <p className={styles.saving}>Saving your data: no film, smaller pictures.</p>}
      <div role="status" className={styles.signal}>
        {!isOnline && (
          <p className={styles.bar} data-surface="deep">
            {pathname.startsWith('/admin')
              ? 'You are offline. Changes cannot be saved.'
              : 'No signal. Pages you have seen still open; ordering waits until it is back.'}
          </p>
        )}
      </div>
    </>
  )
}

function followSignal(tell: () => void): () => void {
  const events = ['online', 'offline']
  for (const name of events) addEventListener(name, tell)
  return () => {
    for (const name of events) removeEventListener(name, tell)
  }
}

/**
 * Without a signal a link is followed as in a page without scripts: the service worker has whole pages, and a page for those
 * it has not, while the router would ask for data that nobody has.
 */
function leadToKeptPages(): () => void {
  addEventListener('click', keepFromRouter, { capture: true })
  return () => removeEventListener('click', keepFromRouter, { capture: true })
}

function keepFromRouter(event: MouseEvent): void {
  const isLink = event.target instanceof Element && event.target.closest('a[href^="/"]')
  if (isLink) event.stopPropagation()
}
