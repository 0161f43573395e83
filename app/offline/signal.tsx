import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { Hint, Text } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { savesData } from '#app/ui/visitor-preferences.ts'
import { cacheCurrentPage, registerServiceWorker } from './cache-current-page.ts'
import styles from './signal.module.css'

const OFFLINE_SHOP = "Pages you have opened before still work. You can order when you're back online."
const OFFLINE_ADMIN = 'You are offline. Changes cannot be saved.'

/**
 * Shows when the browser is offline or saves data, and caches visited pages. A toast appears at once; a bar at the end of the
 * page stays while the browser is offline.
 */
export function Signal() {
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  const { pathname } = useLocation()
  const consequence = pathname.startsWith('/admin') ? OFFLINE_ADMIN : OFFLINE_SHOP
  const toast = useToast()

  useEffect(() => void registerServiceWorker(), [])
  useEffect(() => cacheCurrentPage(pathname), [pathname])
  useEffect(() => {
    if (isOnline) return
    toast({ title: 'No signal', description: consequence, isUnprompted: true })
    return bypassRouter()
  }, [isOnline, consequence, toast])

  return (
    <>
      {savesData() && <Hint className={styles.saving}>Saving your data: no film, smaller pictures.</Hint>}
      {!isOnline && (
        <Text tone="ink" size="s" className={styles.bar} data-surface="deep">
          No signal. {consequence}
        </Text>
      )}
    </>
  )
}

function subscribeToConnection(callback: () => void): () => void {
  const events = ['online', 'offline']
  for (const name of events) addEventListener(name, callback)
  return () => {
    for (const name of events) removeEventListener(name, callback)
  }
}

/**
 * Offline, links load whole pages instead of using the router: the service worker has cached pages and an offline page, but the
 * router would fetch data that is not cached.
 */
function bypassRouter(): () => void {
  addEventListener('click', stopLinkClick, { capture: true })
  return () => removeEventListener('click', stopLinkClick, { capture: true })
}

function stopLinkClick(event: MouseEvent): void {
  const isLink = event.target instanceof Element && event.target.closest('a[href^="/"]')
  if (isLink) event.stopPropagation()
}
