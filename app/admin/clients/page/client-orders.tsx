import { Link } from 'react-router'
import { Hint, Row, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { StaffOrder } from '#domain/order.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { QueryFailure } from '../../list/resource-list.tsx'
import { ResourceTable, type TableColumn } from '../../list/resource-table.tsx'
import { PaymentBadges, StatusBadge } from '../../orders/orders.ts'
import { useClientOrders, type ClientOverview } from './client-queries.ts'
import styles from './client.module.css'

const opens = ({ id }: StaffOrder) => ({ to: `/admin/orders/${id}` })

const COLUMNS: TableColumn<StaffOrder>[] = [
  {
    label: 'Order ID',
    cell: (order) => (
      <Link className={styles.number} {...opens(order)}>
        #{order.number}
      </Link>
    ),
  },
  { label: 'Date', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { label: 'Payment', cell: (order) => <PaymentBadges order={order} /> },
  {
    label: 'Amount',
    kind: 'number',
    cell: ({ totalCents }) => <Price cents={totalCents} as="total" />,
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
