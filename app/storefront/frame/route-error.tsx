import { isRouteErrorResponse } from 'react-router'
import { ErrorFallback } from '#app/ui/error-fallback.tsx'
import { DiscontinuedProduct, NotFound } from './not-found.tsx'

/**
 * Chromium, Firefox and WebKit say so that a request got no answer, WebKit with a sentence before it when the service worker made the
 * request; other TypeErrors are faults of the page.
 */
const NO_ANSWER = /^TypeError: (.+: )?(Failed to fetch|Network|Load)/
const UNREACHABLE = 'We couldn’t reach the shop. Check your connection.'

export function RouteError({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  if (isRouteErrorResponse(error) && error.status === 410)
    return <DiscontinuedProduct lure={error.data.goneLure} />
  return <ErrorFallback as="section">{NO_ANSWER.test(String(error)) && UNREACHABLE}</ErrorFallback>
}
