import { isRouteErrorResponse } from 'react-router'
import { ErrorFallback } from '#app/ui/error-fallback.tsx'
import { DiscontinuedProduct, NotFound } from './not-found.tsx'

export function RouteError({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  if (isRouteErrorResponse(error) && error.status === 410)
    return <DiscontinuedProduct lure={error.data.goneLure} />
  return <ErrorFallback as="section" isUnreachable={isUnanswered(error)} />
}

/** Chromium, Firefox and WebKit say with these words that a request got no answer; other TypeErrors are faults of the page. */
function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError && /^(Failed to fetch|NetworkError|Load failed)/.test(error.message)
}
