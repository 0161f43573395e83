import { useEffect, useEffectEvent } from 'react'
import { useLateNavigate } from './use-late-navigate.ts'

/** Replaces the component's page with `path` as soon as it is not null, unless another page was opened meanwhile. */
export function useRedirect(path: string | null): void {
  const navigate = useLateNavigate()
  const replacePage = useEffectEvent((next: string) => navigate(next, { replace: true }))
  useEffect(() => {
    if (path !== null) replacePage(path)
  }, [path])
}
