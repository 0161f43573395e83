import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useLatestLocation } from './use-latest-location.ts'

/**
 * Returns a function that tells whether the visitor is still on the component's page, for code that goes on after it has waited. Another
 * page counts from the press that opens it: the component is unmounted a moment later.
 */
export function useIsStillHere(): () => boolean {
  const isMounted = useRef(false)
  const latest = useLatestLocation()
  const { pathname } = useLocation()
  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])
  return useCallback(() => isMounted.current && latest().pathname === pathname, [latest, pathname])
}
