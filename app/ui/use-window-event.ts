import { useEffectEvent, useLayoutEffect } from 'react'

/** Listens on the window while mounted. A layout effect, so that it listens as soon as the page is visible. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): void {
  const listen = useEffectEvent(listener)
  useLayoutEffect(() => {
    const onEvent = (event: WindowEventMap[Name]) => listen(event)
    addEventListener(name, onEvent)
    return () => removeEventListener(name, onEvent)
  }, [name])
}
