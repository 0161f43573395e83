import { Outlet } from 'react-router'
import { Frame } from './frame/frame.tsx'
import { Problem } from './frame/problem.tsx'
import type { Route } from './+types/layout'

export default function StorefrontLayout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}

/** What a page could not answer stands in the same frame, so that the way on is where it always is. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Frame>
      <Problem error={error} />
    </Frame>
  )
}
