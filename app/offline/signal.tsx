import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { useToast } from '#app/ui/toaster.tsx'
import { savesData } from '#app/ui/visitor-preferences.ts'
import { keepForLater, startWorker } from './keep-for-later.ts'
import styles from './signal.module.css'

const OFFLINE_SHOP = 'Pages you have seen still open. Ordering waits until the signal is back.'
const OFFLINE_ADMIN = 'You are offline. Changes cannot be saved.'

/**
 * Says when there is no signal and when data is saved, and has what is seen kept for later. A toast tells at once, because toasts cover no
 * control; at the end of the page it can be read for as long as it is so.
 */
export function Signal() {
  const isOnline = useSyncExternalStore(followSignal, () => navigator.onLine)
  const { pathname } = useLocation()
  const meaning = pathname.startsWith('/admin') ? OFFLINE_ADMIN : OFFLINE_SHOP
  const toast = useToast()

  useEffect(() => void startWorker(), [])
  useEffect(() => keepForLater(pathname), [pathname])
  useEffect(() => {
    if (isOnline) return
    toast({ title: 'No signal', description: meaning, isUnprompted: true })
    return leadToKeptPages()
  }, [isOnline, meaning, toast])

  return (
    <>
      {savesData() && <p className={styles.saving}>Saving your data: no film, smaller pictures.</p>}
      {!isOnline && (
        <p className={styles.bar} data-surface="deep">
          No signal. {meaning}
        </p>
      )}
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
