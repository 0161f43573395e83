import { ArrowLeft, Printer } from 'lucide-react'
import { useParams, useSearchParams } from 'react-router'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { StaffOrder } from '#domain/order.ts'
import { QueryFailure } from '../list/resource-list.tsx'
import { orderCountText } from '../orders/orders.ts'
import { Invoice } from './invoice.tsx'
import { PackingSlip } from './packing-slip.tsx'
import { MAX_PRINTED_ORDERS, useInvoiceMoney, usePrintedOrders } from './printed-orders.ts'
import styles from './print.module.css'

const IDS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Packing slips or invoices for the orders in the URL, one page each, in a single print job. */
export default function PrintPage() {
  const { document } = useParams()
  const [searchParams] = useSearchParams()
  const ids = (searchParams.get('orders') ?? '')
    .split(',')
    .filter((id) => IDS.test(id))
    .slice(0, MAX_PRINTED_ORDERS)
  const orders = usePrintedOrders(ids)
  const isInvoice = document === 'invoices'
  const money = useInvoiceMoney(isInvoice ? ids : [])
  // Unpaid and cancelled orders are not packed.
  const printed = isInvoice ? orders.data : orders.data?.filter(({ isPaid }) => isPaid)
  const leftOut = (orders.data?.length ?? 0) - (printed?.length ?? 0)
  // An address may have been corrected since the last print.
  const isComplete =
    orders.isFetchedAfterMount && (!isInvoice || (money.isSuccess && money.isFetchedAfterMount))
  const back = ids.length === 1 ? `/admin/orders/${ids[0]}` : '/admin/orders'

  return (
    <main className={styles.page}>
      <Row gap={3} justify="between" wrap className={styles.bar}>
        <ButtonLink to={back}>
          <ArrowLeft size={18} aria-hidden /> Back
        </ButtonLink>
        <h1>{heading(isInvoice, ids.length)}</h1>
        <Button look="action" disabled={!printed?.length || !isComplete} onClick={() => print()}>
          <Printer size={18} aria-hidden /> Print
        </Button>
      </Row>
      {ids.length > 0 && orders.isPending && <Skeleton height={480} />}
      <QueryFailure what="The orders" query={orders} />
      {leftOut > 0 && (
        <p className={styles.leftOut}>Left out because unpaid or cancelled: {orderCountText(leftOut)}.</p>
      )}
      {(ids.length === 0 || printed?.length === 0) && <p>No orders to print.</p>}
      {printed && (isInvoice ? <Invoices orders={printed} money={money} /> : <Slips orders={printed} />)}
    </main>
  )
}

function heading(isInvoice: boolean, orders: number): string {
  if (orders === 1) return isInvoice ? 'Invoice' : 'Packing slip'
  return isInvoice ? 'Invoices' : 'Packing slips'
}

function Slips({ orders }: { orders: StaffOrder[] }) {
  return orders.map((order) => <PackingSlip key={order.id} order={order} />)
}

interface InvoicesProps {
  orders: StaffOrder[]
  money: ReturnType<typeof useInvoiceMoney>
}

function Invoices({ orders, money }: InvoicesProps) {
  if (money.isError) return <QueryFailure what="Payments" query={money} />
  // Without its payments and refunds the invoice would be wrong.
  if (!money.data) return <Skeleton height={480} />
  const { payments, refunds } = money.data
  return orders.map((order) => (
    <Invoice
      key={order.id}
      order={order}
      money={{
        payments: payments.filter(({ order_id }) => order_id === order.id),
        refunds: refunds.filter(({ order_id }) => order_id === order.id),
      }}
    />
  ))
}
