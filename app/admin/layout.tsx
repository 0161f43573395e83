import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router'
import { shop } from '#shop'
import { AdminGate } from './frame/admin-gate.tsx'
import { LiveShop } from './live/live-shop.tsx'

export const meta = () => [
  { title: `Admin Panel – ${shop.name}` },
  { name: 'robots', content: 'noindex, nofollow' },
]

/** No loader: what the admin area shows comes over the API with the admin's own token, never with the page. */
export default function AdminLayout() {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
  )

  return (
    <QueryClientProvider client={queryClient}>
      <AdminGate>
        <LiveShop />
        <Outlet />
      </AdminGate>
    </QueryClientProvider>
  )
}
