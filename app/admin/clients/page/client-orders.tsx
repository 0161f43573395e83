import { Link } from 'react-router'
import { Hint, Section, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import type { StaffOrder } from '#domain/order.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Loaded } from '../../list/resource-list.tsx'
import { ResourceTable, type TableColumn } from '../../list/resource-table.tsx'
import {
  OrderMoneyWarning,
  PaymentBadges,
  StatusBadge,
  useOrderMoney,
  type OrderMoney,
} from '../../orders/orders.ts'
import { useClientOrders, type ClientOverview } from './client-queries.ts'

const opens = ({ id }: StaffOrder) => ({ to: `/admin/orders/${id}` })

/** `money` is absent until loaded. */
const columns = (money?: Map<string, OrderMoney>): TableColumn<StaffOrder>[] => [
  {
    label: 'Order ID',
    cell: (order) => (
      <Text as={Link} weight={700} numeric {...opens(order)}>
        #{order.number}
      </Text>
    ),
  },
  { label: 'Date', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { label: 'Payment', cell: (order) => <PaymentBadges order={order} money={money?.get(order.id)} /> },
  {
    label: 'Amount',
    kind: 'number',
    cell: ({ totalCents }) => <Price cents={totalCents} as="total" />,
  },
]

export function ClientOrders({ client }: { client: ClientOverview }) {
  const orders = useClientOrders(client.id)
  const { data } = orders
  const money = useOrderMoney(data?.orders ?? [], { isEnabled: true })

  return (
    <Section
      title="Orders"
      aria-busy={orders.isPending}
      action={
        data &&
        data.count > data.orders.length && (
          <Link to={`/admin/orders?client=${client.id}`}>All {data.count}</Link>
        )
      }
    >
      <OrderMoneyWarning money={money} />
      <Loaded what="The orders" query={orders} height={120}>
        {({ orders: rows }) =>
          rows.length === 0 ? (
            <Hint breakWords>Nothing ordered yet.</Hint>
          ) : (
            <ResourceTable
              caption="This client’s orders, newest first"
              columns={columns(money.data)}
              rows={rows}
              keyOf={({ id }) => id}
              opens={opens}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
