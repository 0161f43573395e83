import { savesData } from '#app/ui/visitor-preferences.ts'
import { shop } from '#shop'

const WORKER = '/service-worker.js'

/** The development server has no worker: its files change with every save. */
const IS_BUILT = import.meta.env.PROD

export async function startWorker(): Promise<void> {
  if (!IS_BUILT || !('serviceWorker' in navigator)) return
  try {
    if (shop.worksOffline) await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' })
    else for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
  } catch (error) {
    // A browser may refuse, in private windows for one: everything works but without a signal.
    console.warn('pages are not kept for when there is no signal', error)
  }
}

/** Has the page that is open kept, with the files and pictures that were loaded for it. Whoever saves data keeps what was loaded anyway. */
export function keepForLater(pathname: string): void {
  if (!IS_BUILT || !shop.worksOffline || !('serviceWorker' in navigator)) return
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(location.origin))
  const keep = savesData() ? loaded : [pathname, ...loaded]
  // A worker has no target origin: it is of this one.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ keep }))
}
