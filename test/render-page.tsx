import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { Toaster } from '#app/ui/toaster.tsx'
import { defaultShippingTerms, type ShippingTerms } from '#domain/pricing.ts'

interface Surroundings {
  /** Holds what the page's queries have loaded. */
  queries?: QueryClient
  terms?: ShippingTerms
  /** The address, with its query. */
  path?: string
}

/** Returns the HTML of a part of a page as the server renders it. */
export function renderHtml(
  part: ReactNode,
  { queries = new QueryClient(), terms = defaultShippingTerms, path = '/' }: Surroundings = {},
): string {
  const Page = () => (
    <QueryClientProvider client={queries}>
      <Toaster>{part}</Toaster>
    </QueryClientProvider>
  )
  const Routes = createRoutesStub([{ id: 'root', path: '*', loader: () => null, Component: Page }])
  return renderToStaticMarkup(
    <Routes initialEntries={[path]} hydrationData={{ loaderData: { root: { terms } } }} />,
  )
}

/** Returns the text of a part of a page, with a space between elements. */
export function renderText(part: ReactNode, surroundings?: Surroundings): string {
  return renderHtml(part, surroundings)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
