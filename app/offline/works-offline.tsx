import { useEffect, useState, type ComponentType } from 'react'

/** Later than anything that the first view needs, also on a phone. */
const LOAD_DELAY_MS = 4000

/** Loads offline support after the page has settled; at once when the browser is offline. */
export function WorksOffline() {
  const [OfflineSupport, setOfflineSupport] = useState<ComponentType | null>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () => {
      import('./signal.tsx').then(
        ({ Signal }) => setOfflineSupport(() => Signal),
        () => undefined, // Not cached while offline: the page works without it.
      )
    }
    const wait = () => {
      timer = setTimeout(load, navigator.onLine ? LOAD_DELAY_MS : 0)
    }
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true })
    return () => {
      removeEventListener('load', wait)
      clearTimeout(timer)
    }
  }, [])

  return OfflineSupport && <OfflineSupport />
}
