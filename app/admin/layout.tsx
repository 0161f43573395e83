import { QueryClient, QueryClientProvider, type DefaultOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { shop } from '#shop'
import { AdminGate } from './frame/admin-gate.tsx'
import { LeaveGuards } from './list/leave-guards.tsx'
import { useInvalidFieldFocus } from './list/use-invalid-field-focus.ts'
import { LiveUpdates } from './live/live-updates.tsx'

export const meta = () => [
  { title: `Admin Panel – ${shop.name}` },
  { name: 'robots', content: 'noindex, nofollow' },
]

/**
 * Without a signal a call fails at once and says so, with the form still there. Left to itself the library would wait, saying nothing, and
 * save later what somebody has cancelled meanwhile.
 */
const ASKING: DefaultOptions = {
  queries: { retry: 1, refetchOnWindowFocus: false, networkMode: 'always', refetchOnReconnect: true },
  mutations: { networkMode: 'always' },
}

/** No loader: what the admin area shows comes over the API with the admin's own token, never with the page. */
export default function AdminLayout() {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: ASKING }))
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
