import { Dialog } from '#app/ui/dialog.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import { ResourceTable, type Column } from '../list/resource-table.tsx'
import { numericDate } from '#app/ui/when.tsx'
import { StatusBadge } from '../orders/order-badges.tsx'
import styles from './dashboard.module.css'
import { revenueOf, type Sale } from './revenue.ts'

/** Orders shown in the history; the totals above it count them all. */
const HISTORY_LENGTH = 200

interface Props {
  sales: Sale[]
  isOpen: boolean
  onClose: () => void
}

export function RevenueDialog({ sales, isOpen, onClose }: Props) {
  return (
    <Dialog title="Revenue Breakdown" isOpen={isOpen} onClose={onClose} className={styles.breakdown}>
      {isOpen && <Breakdown sales={sales} />}
    </Dialog>
  )
}

function Breakdown({ sales }: { sales: Sale[] }) {
  const revenue = revenueOf(sales)

  return (
    <div className={styles.dashboard}>
      <dl className={styles.totals}>
        <Total label="Total Revenue" value={<Price cents={revenue.totalCents} as="total" />} />
        <Total label="Paid orders" value={revenue.paidOrders} />
        <Total label="Average order" value={<Price cents={revenue.averageCents} as="total" />} />
        <Total label="Awaiting payment" value={<Price cents={revenue.awaitingCents} as="total" />} />
      </dl>
      <h3>Order history</h3>
      {sales.length === 0 ? (
        <p>No orders yet. Each order stands here from the moment it is placed.</p>
      ) : (
        <ResourceTable
          caption="Order history"
          columns={COLUMNS}
          rows={sales.slice(0, HISTORY_LENGTH)}
          keyOf={({ id }) => id}
        />
      )}
      {sales.length > HISTORY_LENGTH && (
        <p className={styles.hint}>
          The newest {HISTORY_LENGTH} of {sales.length} orders; the Orders tab has them all.
        </p>
      )}
    </div>
  )
}

function Total({ label, value }: { label: string; value: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

const COLUMNS: Column<Sale>[] = [
  { label: 'Order ID', cell: ({ id }) => id.slice(0, 8) },
  { label: 'Date', cell: ({ created_at }) => numericDate(created_at) },
  { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    label: 'Amount',
    kind: 'figure',
    cell: ({ total_amount }) => <Price cents={centsFromRand(total_amount)} as="total" />,
  },
]
