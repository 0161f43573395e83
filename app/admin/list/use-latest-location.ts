import { use } from 'react'
import { UNSAFE_DataRouterContext, useLocation, type Location } from 'react-router'

/** Where the router stands or is on its way to. What is drawn lags behind it, and a second act must not undo the first. */
export function useLatestLocation(): () => Location {
  const router = use(UNSAFE_DataRouterContext)?.router
  const drawn = useLocation()
  return () => router?.state.navigation.location ?? router?.state.location ?? drawn
}
