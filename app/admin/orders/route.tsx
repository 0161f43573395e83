import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Outlet, useSearchParams } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { DeleteOrderDialog } from './delete-order-dialog.tsx'
import { ORDERS_ON_A_PAGE, useOrdersPage, type OrdersPage, type OrdersView } from './order-queries.ts'
import type { Order } from './order.ts'
import { OrdersFilter } from './orders-filter.tsx'
import styles from './orders-filter.module.css'
import { OrdersTable } from './orders-table.tsx'
import { readOrdersView } from './orders-view.ts'
import { Pages } from './pages.tsx'

export default function OrdersTab() {
  const [address] = useSearchParams()
  const view = readOrdersView(address)
  const ordersPage = useOrdersPage(view)
  const [doomed, setDoomed] = useState<Order | null>(null)

  return (
    <>
      <ResourceList
        title="Orders"
        query={ordersPage}
        rowsOf={({ orders }) => orders}
        empty={emptyText(view, ordersPage.data?.count ?? 0)}
        action={ordersPage.data && <Pages view={view} count={ordersPage.data.count} />}
        filter={
          <>
            <OrdersFilter view={view} />
            {ordersPage.data && <PrintAll page={ordersPage.data} />}
          </>
        }
      >
        {(orders) => <OrdersTable orders={orders} search={address.toString()} onDelete={setDoomed} />}
      </ResourceList>
      <DeleteOrderDialog order={doomed} onClose={() => setDoomed(null)} />
      <Outlet />
    </>
  )
}

/** A slip for each parcel on this page that has not left: one job for the printer. */
function PrintAll({ page: { orders } }: { page: OrdersPage }) {
  const waiting = orders.filter(({ status }) => ['new', 'pending', 'processing'].includes(status))
  if (waiting.length === 0) return null
  const ids = waiting.map(({ id }) => id).join()

  return (
    <ButtonLink className={styles.print} to={`/admin/print/packing-slips?orders=${ids}`}>
      <Printer size={18} aria-hidden /> Packing slips ({waiting.length})
    </ButtonLink>
  )
}

function emptyText({ search, status, page }: OrdersView, count: number) {
  if (count > 0) {
    return {
      title: `There is no page ${page}`,
      advice: `The ${count} orders fill ${Math.ceil(count / ORDERS_ON_A_PAGE)} pages. Go back to newer ones above.`,
    }
  }
  if (search) {
    return {
      title: 'Nothing found',
      advice: `No order has “${search}” as its number, name, e-mail, phone, tracking number or lure.`,
    }
  }
  if (status) return { title: 'None of these', advice: 'No order has this status at the moment.' }
  return {
    title: 'No orders yet',
    advice: 'The first order stands here as soon as somebody places it; you get a mail when it is paid.',
  }
}
