import { savesData } from '#app/ui/visitor-preferences.ts'
import { shop } from '#shop'

const WORKER = '/service-worker.js'

/** The development server has no worker: its files change with every save. */
const IS_BUILT = import.meta.env.PROD

export async function registerServiceWorker(): Promise<void> {
  if (!IS_BUILT || !('serviceWorker' in navigator)) return
  try {
    if (shop.worksOffline) await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' })
    else for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
  } catch (error) {
    // Browsers may refuse, for example in private windows: the shop then works online only.
    console.warn('the service worker was not registered, so pages do not work offline', error)
  }
}

/** Tells the service worker to cache the current page with its files and pictures. With data saving, caches only loaded files. */
export function cacheCurrentPage(pathname: string): void {
  if (!IS_BUILT || !shop.worksOffline || !('serviceWorker' in navigator)) return
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(location.origin))
  const keep = savesData() ? loaded : [pathname, ...loaded]
  // A service worker always has this origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ keep }))
}
