import { Outlet } from 'react-router'
import { Frame } from './frame/frame.tsx'
import { RouteError } from './frame/route-error.tsx'
import type { Route } from './+types/layout'

export default function StorefrontLayout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}

/** Shows errors inside the frame, so that the navigation stays available. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Frame>
      <RouteError error={error} />
    </Frame>
  )
}
