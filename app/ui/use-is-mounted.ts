import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that tells whether the component is still on the page, for code that goes on after it has waited. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])
  return useCallback(() => isMounted.current, [])
}
