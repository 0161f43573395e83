import { Eye, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton, IconLink } from '#app/ui/button.tsx'
import { Hint, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { timeText } from '#app/ui/local-date.tsx'
import { staffOrder, type StaffOrder, type StaffOrderRow } from '#domain/order.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EmailText } from '../mail/email-text.tsx'
import type { TableColumn, Opening } from '../list/resource-table.tsx'
import { PaymentBadges } from './order-badges.tsx'
import type { OrderMoney } from './order-money.ts'
import styles from './order-columns.module.css'
import { StatusSelect, type OrderControlProps } from './status-select.tsx'

/** Keeps the list's page and filters behind the order dialog. */
export function orderLink(order: Pick<StaffOrder, 'id'>, search: string): Opening {
  return { to: { pathname: `/admin/orders/${order.id}`, search }, preventScrollReset: true }
}

interface RowLinks extends Pick<OrderControlProps, 'onOpenDialog'> {
  linkTo: (order: Pick<StaffOrder, 'id'>) => Opening
  canDelete: boolean
  /** By the order's id. */
  money?: Map<string, OrderMoney>
  /** Moves the tracking number below the status, because seven columns do not fit. */
  isCompact: boolean
}

export function orderColumns(links: RowLinks): TableColumn<StaffOrderRow>[] {
  return columnsOf(links).map((column) => ({ ...column, cell: (row) => column.cell(staffOrder(row)) }))
}

function columnsOf({
  linkTo,
  canDelete,
  money,
  isCompact,
  onOpenDialog,
}: RowLinks): TableColumn<StaffOrder>[] {
  const tracking: TableColumn<StaffOrder> = {
    label: 'Tracking',
    cell: (order) => order.trackingNumber || '-',
  }
  return [
    {
      label: 'Order ID',
      sort: 'order_number',
      cell: (order) => (
        <Text as={Link} weight={700} numeric {...linkTo(order)}>
          #{order.number}
        </Text>
      ),
    },
    { label: 'Customer', sort: 'customer_name', cell: (order) => <Customer order={order} /> },
    {
      label: 'Amount',
      kind: 'number',
      sort: 'total_amount',
      cell: (order) => <Amount order={order} money={money?.get(order.id)} />,
    },
    {
      label: 'Status',
      cell: (order) =>
        isCompact ? (
          <Progress order={order} onOpenDialog={onOpenDialog} />
        ) : (
          <StatusSelect order={order} onOpenDialog={onOpenDialog} />
        ),
    },
    ...(isCompact ? [] : [tracking]),
    { label: 'Date', sort: 'created_at', cell: (order) => <Placed at={order.createdAt} /> },
    {
      label: 'Actions',
      kind: 'actions',
      cell: (order) => (
        <Actions
          order={order}
          link={linkTo(order)}
          onDelete={canDelete ? () => onOpenDialog({ order, name: 'delete' }) : null}
        />
      ),
    },
  ]
}

/** Shows the time of day as text, because a touch screen has no hover. */
function Placed({ at }: { at: string }) {
  return (
    <Stack as="span">
      <RelativeTime at={at} />
      <Hint as="span" size="xs">
        {timeText(at)}
      </Hint>
    </Stack>
  )
}

function Progress({ order, onOpenDialog }: OrderControlProps) {
  return (
    <Stack as="span">
      <StatusSelect order={order} onOpenDialog={onOpenDialog} />
      {order.trackingNumber && (
        <Hint as="span" size="xs">
          {order.trackingNumber}
        </Hint>
      )}
    </Stack>
  )
}

function Customer({ order }: { order: StaffOrder }) {
  return (
    <Stack as="span">
      <span>{order.customerName ?? 'N/A'}</span>
      <Hint as="span" size="xs">
        <EmailText email={order.customerEmail} />
      </Hint>
    </Stack>
  )
}

function Amount({ order, money }: { order: StaffOrder; money?: OrderMoney }) {
  return (
    <Stack as="span" align="end">
      <Price cents={order.totalCents} as="total" />
      <Row as="span" inline align="stretch" justify="end" wrap className={styles.badges}>
        <PaymentBadges order={order} money={money} />
      </Row>
    </Stack>
  )
}

interface ActionsProps {
  order: StaffOrder
  link: Opening
  onDelete: (() => void) | null
}

function Actions({ order, link, onDelete }: ActionsProps) {
  const { number } = order
  return (
    <Row as="span" inline gap={1} align="stretch">
      <IconLink icon={Eye} label={`View order #${number}`} {...link} />
      {onDelete && (
        <IconButton icon={Trash2} label={`Delete order #${number}`} tone="danger" onClick={onDelete} />
      )}
    </Row>
  )
}
