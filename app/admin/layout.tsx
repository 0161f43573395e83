import { QueryClient, QueryClientProvider, type DefaultOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { shop } from '#shop'
import { AdminGate } from './frame/admin-gate.tsx'
import { LeaveGuards } from './form/leave-guards.tsx'
import { useInvalidFieldFocus } from './form/use-invalid-field-focus.ts'
import { LiveUpdates } from './live/live-updates.tsx'

export const meta = () => [
  { title: `Admin Panel – ${shop.name}` },
  { name: 'robots', content: 'noindex, nofollow' },
]

/**
 * `networkMode: 'always'` makes calls fail at once when offline, with the form still open. By default the library would pause silently
 * and save later, possibly after the user has cancelled.
 */
const QUERY_OPTIONS: DefaultOptions = {
  queries: { retry: 1, refetchOnWindowFocus: false, networkMode: 'always', refetchOnReconnect: true },
  mutations: { networkMode: 'always' },
}

/** No loader: the admin area loads its data through the API with the user's own token, never with the page. */
export default function AdminLayout() {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: QUERY_OPTIONS }))
  useInvalidFieldFocus()

  return (
    <QueryClientProvider client={queryClient}>
      <AdminGate>
        <LiveUpdates />
        <LeaveGuards>
          <Outlet />
        </LeaveGuards>
      </AdminGate>
    </QueryClientProvider>
  )
}
