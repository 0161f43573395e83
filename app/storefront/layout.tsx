import { Outlet } from 'react-router'
import { StorefrontFrame } from './frame/storefront-frame.tsx'
import { RouteError } from './frame/route-error.tsx'
import type { Route } from './+types/layout'

export default function StorefrontLayout() {
  return (
    <StorefrontFrame>
      <Outlet />
    </StorefrontFrame>
  )
}

/** Shows errors inside the frame, so that the navigation stays available. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <StorefrontFrame>
      <RouteError error={error} />
    </StorefrontFrame>
  )
}
