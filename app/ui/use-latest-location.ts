import { use, useCallback } from 'react'
import { UNSAFE_DataRouterContext, useLocation, type Location } from 'react-router'

/** Returns the router's current or pending location. The rendered one lags behind, so a second change would undo the first. */
export function useLatestLocation(): () => Location {
  const router = use(UNSAFE_DataRouterContext)?.router
  const drawn = useLocation()
  return useCallback(
    () => router?.state.navigation.location ?? router?.state.location ?? drawn,
    [router, drawn],
  )
}
