import { Eye, Trash2 } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { IconButton, IconLink } from '#app/ui/button.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { ResourceTable, type Column } from '../list/resource-table.tsx'
import { When } from '#app/ui/when.tsx'
import { PaymentBadge } from './order-badges.tsx'
import { customerEmail, customerName, type Order } from './order.ts'
import styles from './orders-table.module.css'
import { StatusSelect } from './status-select.tsx'

interface Props {
  orders: Order[]
  /** The page's query string: the dialog opens over the same page of the list. */
  search: string
  onDelete: (order: Order) => void
}

export function OrdersTable({ orders, search, onDelete }: Props) {
  const navigate = useNavigate()
  const addressOf = (order: Order) => ({ pathname: `/admin/orders/${order.id}`, search })

  return (
    <ResourceTable
      caption="Orders, newest first"
      columns={columns(addressOf, onDelete)}
      rows={orders}
      keyOf={(order) => order.id}
      onOpen={(order) => void navigate(addressOf(order), { preventScrollReset: true })}
    />
  )
}

type Address = { pathname: string; search: string }

function columns(addressOf: (order: Order) => Address, onDelete: Props['onDelete']): Column<Order>[] {
  return [
    {
      label: 'Order ID',
      cell: (order) => (
        <Link className={styles.number} to={addressOf(order)} preventScrollReset>
          #{orderNumberText(order.order_number)}
        </Link>
      ),
    },
    { label: 'Customer', cell: (order) => <Customer order={order} /> },
    { label: 'Amount', kind: 'figure', cell: (order) => <Amount order={order} /> },
    { label: 'Status', cell: (order) => <StatusSelect order={order} /> },
    { label: 'Tracking', cell: (order) => order.tracking_number || '-' },
    { label: 'Date', cell: (order) => <When at={order.created_at} /> },
    {
      label: 'Actions',
      kind: 'actions',
      cell: (order) => <Actions order={order} address={addressOf(order)} onDelete={onDelete} />,
    },
  ]
}

function Customer({ order }: { order: Order }) {
  return (
    <span className={styles.stack}>
      <span>{customerName(order) ?? 'N/A'}</span>
      <span className={styles.detail}>{customerEmail(order)}</span>
    </span>
  )
}

function Amount({ order }: { order: Order }) {
  return (
    <span className={styles.amount}>
      <Price cents={centsFromRand(order.total_amount)} as="total" />
      <PaymentBadge order={order} />
    </span>
  )
}

function Actions({
  order,
  address,
  onDelete,
}: {
  order: Order
  address: Address
  onDelete: Props['onDelete']
}) {
  const number = orderNumberText(order.order_number)
  return (
    <span className={styles.actions}>
      <IconLink label={`View order #${number}`} to={address} preventScrollReset>
        <Eye size={20} aria-hidden />
      </IconLink>
      <IconButton label={`Delete order #${number}`} className={styles.delete} onClick={() => onDelete(order)}>
        <Trash2 size={20} aria-hidden />
      </IconButton>
    </span>
  )
}
