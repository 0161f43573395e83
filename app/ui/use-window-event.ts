import { useEffect, useEffectEvent } from 'react'

/** Listens on the window while mounted. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): void {
  const listen = useEffectEvent(listener)
  useEffect(() => {
    const onEvent = (event: WindowEventMap[Name]) => listen(event)
    addEventListener(name, onEvent)
    return () => removeEventListener(name, onEvent)
  }, [name])
}
