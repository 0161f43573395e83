import { Dialog } from '#app/ui/dialog.tsx'
import { DescriptionList, Stack, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { numericDate } from '#app/ui/local-date.tsx'
import { centsFromRand } from '#domain/money.ts'
import type { ListedOrder } from '#domain/order.ts'
import { QueryFailure } from '../list/resource-list.tsx'
import { ResourceTable, type TableColumn } from '../list/resource-table.tsx'
import { StatusBadge } from '../orders/orders.ts'
import styles from './dashboard.module.css'
import { HISTORY_LENGTH, useOrderHistory, type RevenueTotals } from './dashboard-queries.ts'

interface Props {
  totals: RevenueTotals | undefined
  isOpen: boolean
  onClose: () => void
}

export function RevenueDialog({ totals, isOpen, onClose }: Props) {
  return (
    <Dialog title="Revenue Breakdown" isOpen={isOpen} onClose={onClose} className={styles.breakdown}>
      {isOpen && totals && <Breakdown totals={totals} />}
    </Dialog>
  )
}

function Breakdown({ totals }: { totals: RevenueTotals }) {
  return (
    <Stack gap={4}>
      <DescriptionList
        kind="facts"
        columns="repeat(auto-fit, minmax(140px, 1fr))"
        gap={3}
        columnGap={5}
        className={styles.totals}
      >
        <Total label="Gross sales" value={<Price cents={centsFromRand(totals.gross)} as="total" />} />
        <Total label="Refunds" value={<Price cents={-centsFromRand(totals.refunds)} as="total" />} />
        <Total
          label="Total Revenue (net)"
          value={<Price cents={centsFromRand(totals.revenue)} as="total" />}
        />
        <Total label="Paid orders" value={totals.paid_orders} />
        <Total
          label="Average order (net)"
          value={<Price cents={centsFromRand(totals.average)} as="total" />}
        />
        <Total label="Awaiting payment" value={<Price cents={centsFromRand(totals.awaiting)} as="total" />} />
      </DescriptionList>
      <Text tone="muted" size="xs">
        A sale counts on the day it was paid, a refund on the day the money went back. Cancelled orders do not
        count.
      </Text>
      <h3>Order history</h3>
      <History count={totals.orders} />
    </Stack>
  )
}

function History({ count }: { count: number }) {
  const history = useOrderHistory()
  if (history.isPending) return <Skeleton height={240} />
  if (history.isError) return <QueryFailure what="The history" query={history} />
  if (history.data.length === 0) {
    return <p>No orders yet. Each order appears here as soon as it is placed.</p>
  }
  return (
    <>
      <ResourceTable caption="Order history" columns={COLUMNS} rows={history.data} keyOf={({ id }) => id} />
      {count > HISTORY_LENGTH && (
        <Text tone="muted" size="xs">
          The newest {HISTORY_LENGTH} of {count} orders. The Orders tab lists all of them.
        </Text>
      )}
    </>
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

const COLUMNS: TableColumn<ListedOrder>[] = [
  { label: 'Order ID', cell: ({ id }) => id.slice(0, 8) },
  { label: 'Date', cell: ({ createdAt }) => numericDate(createdAt) },
  { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    label: 'Amount',
    kind: 'number',
    cell: ({ totalCents }) => <Price cents={totalCents} as="total" />,
  },
]
