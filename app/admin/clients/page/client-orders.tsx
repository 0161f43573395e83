import { Link } from 'react-router'
import { Hint, Row, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { centsFromRand } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { QueryFailure } from '../../list/resource-list.tsx'
import { ResourceTable, type TableColumn } from '../../list/resource-table.tsx'
import { PaymentBadges, StatusBadge } from '../../orders/order-badges.tsx'
import { useClientOrders, type ClientOrder, type ClientOverview } from './client-queries.ts'
import styles from './client.module.css'

const opens = ({ id }: ClientOrder) => ({ to: `/admin/orders/${id}` })

const COLUMNS: TableColumn<ClientOrder>[] = [
  {
    label: 'Order ID',
    cell: (order) => (
      <Link className={styles.number} {...opens(order)}>
        #{orderNumberText(order.order_number)}
      </Link>
    ),
  },
  { label: 'Date', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { label: 'Payment', cell: (order) => <PaymentBadges order={order} /> },
  {
    label: 'Amount',
    kind: 'number',
    cell: ({ total_amount }) => <Price cents={centsFromRand(total_amount)} as="total" />,
  },
]

export function ClientOrders({ client }: { client: ClientOverview }) {
  const orders = useClientOrders(client.id)
  const { data } = orders

  return (
    <Stack as="section" gap={3} aria-label="Orders" aria-busy={orders.isPending}>
      <Row align="baseline" justify="between">
        <h3>Orders</h3>
        {data && data.count > data.orders.length && client.email && (
          <Link to={`/admin/orders?search=${encodeURIComponent(client.email)}`}>All {data.count}</Link>
        )}
      </Row>
      {orders.isPending && <Skeleton height={120} />}
      {orders.isError && !data && <QueryFailure what="The orders" query={orders} />}
      {data?.orders.length === 0 && <Hint breakWords>Nothing ordered yet.</Hint>}
      {data && data.orders.length > 0 && (
        <ResourceTable
          caption="This client’s orders, newest first"
          columns={COLUMNS}
          rows={data.orders}
          keyOf={({ id }) => id}
          opens={opens}
        />
      )}
    </Stack>
  )
}
