import { useEffect, useState, type ComponentType } from 'react'

/** Later than anything a first view needs, on a phone too. */
const AT_REST_AFTER_MS = 4000

/** Brings what works without a signal once the page is at rest; at once when there is none already. */
export function WorksOffline() {
  const [Lasting, setLasting] = useState<ComponentType | null>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () => {
      import('./signal.tsx').then(
        ({ Signal }) => setLasting(() => Signal),
        () => undefined, // Not there without a signal: then the page stays as it is.
      )
    }
    const wait = () => {
      timer = setTimeout(load, navigator.onLine ? AT_REST_AFTER_MS : 0)
    }
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true })
    return () => {
      removeEventListener('load', wait)
      clearTimeout(timer)
    }
  }, [])

  return Lasting && <Lasting />
}
