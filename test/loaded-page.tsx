import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { LeaveGuards } from '#app/admin/form/leave-guards.tsx'
import { RoleContext } from '#app/admin/frame/role.ts'
import { SessionProvider } from '#app/data/session.tsx'
import type { Role } from '#app/data/staff-role.ts'
import { Toaster } from '#app/ui/toaster.tsx'

interface Place {
  path?: string
  address?: string
  role?: Role
  /** Whether queries may fail: without it, one that fails fails the test. */
  mayFail?: boolean
}

/** More rounds of queries that depend on earlier ones than any page has. */
const MAX_ROUNDS = 5

/**
 * Renders an element of the admin area as HTML after all its queries have loaded. Queries use the client that the test puts in the place
 * of the browser's.
 */
export async function loadedHtml(
  element: ReactElement,
  { path = '*', address = '/', role = 'admin', mayFail = false }: Place = {},
): Promise<string> {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, retryOnMount: false, staleTime: Infinity } },
  })
  const router = createMemoryRouter([{ path, element: <LeaveGuards>{element}</LeaveGuards> }], {
    initialEntries: [address],
  })
  const html = () =>
    renderToStaticMarkup(
      <QueryClientProvider client={queries}>
        <Toaster>
          <SessionProvider publishableKey="">
            <RoleContext value={role}>
              <RouterProvider router={router} />
            </RoleContext>
          </SessionProvider>
        </Toaster>
      </QueryClientProvider>,
    )

  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    html()
    const missing = queries
      .getQueryCache()
      .getAll()
      .filter(({ state, options }) => state.status === 'pending' && isEnabled(options))
    if (missing.length === 0) break
    // oxlint-disable-next-line no-await-in-loop -- a round renders what the previous one has loaded
    const loaded = await Promise.allSettled(missing.map((query) => query.fetch()))
    if (!mayFail) for (const each of loaded) if (each.status === 'rejected') throw each.reason
  }
  return html()
}

function isEnabled(options: object): boolean {
  return !('enabled' in options) || options.enabled !== false
}

/** The texts of that HTML, one per line. */
export async function loadedText(element: ReactElement, place?: Place): Promise<string> {
  const html = await loadedHtml(element, place)
  return html.replaceAll(/<[^>]*>/g, '\n').replaceAll(/\s*\n\s*/g, '\n')
}
