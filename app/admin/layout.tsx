import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { shop } from '#shop'
import { AdminGate } from './frame/admin-gate.tsx'
import { createQueryClient } from '#app/data/query-client.ts'
import { StaffMutations } from './form/staff-mutations.tsx'
import { LeaveGuards } from './form/leave-guards.tsx'
import { useInvalidFieldFocus } from './form/use-invalid-field-focus.ts'
import { LiveUpdates } from './live/live-updates.tsx'

export const meta = () => [
  { title: `Admin Panel – ${shop.name}` },
  { name: 'robots', content: 'noindex, nofollow' },
]

/** No loader: the admin area loads its data through the API with the user's own token, never with the page. */
export default function AdminLayout() {
  const [queryClient] = useState(() => createQueryClient())
  useInvalidFieldFocus()

  return (
    <QueryClientProvider client={queryClient}>
      <AdminGate>
        <LiveUpdates />
        <LeaveGuards>
          <StaffMutations>
            <Outlet />
          </StaffMutations>
        </LeaveGuards>
      </AdminGate>
    </QueryClientProvider>
  )
}
