import { useState } from 'react'
import { Outlet, useSearchParams } from 'react-router'
import { ResourceList } from '../list/resource-list.tsx'
import { DeleteOrderDialog } from './delete-order-dialog.tsx'
import { useOrdersPage } from './order-queries.ts'
import type { Order } from './order.ts'
import { OrdersTable } from './orders-table.tsx'
import { Pages } from './pages.tsx'

const EMPTY = {
  title: 'No orders yet',
  advice: 'The first order stands here as soon as somebody places it; you get a mail when it is paid.',
}

export default function OrdersTab() {
  const [search] = useSearchParams()
  const page = pageFrom(search)
  const ordersPage = useOrdersPage(page)
  const [doomed, setDoomed] = useState<Order | null>(null)

  return (
    <>
      <ResourceList
        title="Orders"
        query={ordersPage}
        rowsOf={({ orders }) => orders}
        empty={EMPTY}
        action={ordersPage.data && <Pages page={page} count={ordersPage.data.count} />}
      >
        {(orders) => <OrdersTable orders={orders} search={search.toString()} onDelete={setDoomed} />}
      </ResourceList>
      <DeleteOrderDialog order={doomed} onClose={() => setDoomed(null)} />
      <Outlet />
    </>
  )
}

function pageFrom(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}
