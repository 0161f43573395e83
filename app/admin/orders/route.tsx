import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Outlet, useSearchParams } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useList } from '../list/use-list.ts'
import { DeleteOrderDialog } from './delete-order-dialog.tsx'
import { orderColumns, orderOpening } from './order-columns.tsx'
import { ORDERS } from './order-list.ts'
import type { Order } from './order.ts'

const EMPTY = {
  title: 'No orders yet',
  advice: 'The first order stands here as soon as somebody places it; you get a mail when it is paid.',
}

export default function OrdersTab() {
  const orders = useList(ORDERS)
  const [address] = useSearchParams()
  const [doomed, setDoomed] = useState<Order | null>(null)
  const opening = (order: Order) => orderOpening(order, address.toString())

  return (
    <>
      <ListScreen
        list={orders}
        empty={EMPTY}
        columns={orderColumns({ opening, onDelete: setDoomed })}
        opens={opening}
        action={<PrintPage orders={orders.page.data?.rows ?? []} />}
      />
      <DeleteOrderDialog order={doomed} onClose={() => setDoomed(null)} />
      <Outlet />
    </>
  )
}

/** A slip for each parcel on this page that has not left: one job for the printer. */
function PrintPage({ orders }: { orders: Order[] }) {
  const waiting = orders.filter(({ status }) => ['new', 'pending', 'processing'].includes(status))
  if (waiting.length === 0) return null
  const ids = waiting.map(({ id }) => id).join()

  return (
    <ButtonLink to={`/admin/print/packing-slips?orders=${ids}`}>
      <Printer size={18} aria-hidden /> Packing slips ({waiting.length})
    </ButtonLink>
  )
}
