import { isRouteErrorResponse } from 'react-router'
import { ErrorFallback } from '#app/ui/error-fallback.tsx'
import { DiscontinuedProduct, NotFound } from './not-found.tsx'

export function RouteError({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  if (isRouteErrorResponse(error) && error.status === 410)
    return <DiscontinuedProduct lure={error.data.goneLure} />
  return <ErrorFallback as="section" />
}
