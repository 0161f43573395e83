import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/** Asks before a page with unsaved changes is left: the shop's own question within the shop, the browser's at its edge. */
export function useLeaveGuard(isUnsaved: boolean) {
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  return useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )
}
