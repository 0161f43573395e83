import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '#app/ui/dialog.tsx'
import { DescriptionList, Stack, Text, Fact } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { numericDate } from '#app/ui/local-date.tsx'
import { centsFromRand } from '#domain/money.ts'
import type { ListedOrder } from '#domain/order.ts'
import { Loaded } from '../list/resource-list.tsx'
import { ResourceTable, type TableColumn } from '../list/resource-table.tsx'
import { StatusBadge } from '../orders/orders.ts'
import styles from './dashboard.module.css'
import { HISTORY_LENGTH, useOrderHistory, type RevenueTotals } from './dashboard-queries.ts'

interface Props {
  totals: UseQueryResult<RevenueTotals>
  isOpen: boolean
  onClose: () => void
}

export function RevenueDialog({ totals, isOpen, onClose }: Props) {
  return (
    <Dialog title="Revenue Breakdown" isOpen={isOpen} onClose={onClose} size="l">
      {isOpen && (
        <Loaded what="The breakdown" query={totals} height={400}>
          {(loaded) => <Breakdown totals={loaded} />}
        </Loaded>
      )}
    </Dialog>
  )
}

function price(rand: number) {
  return <Price cents={centsFromRand(rand)} as="total" />
}

function Breakdown({ totals }: { totals: RevenueTotals }) {
  const figures: [name: string, value: ReactNode][] = [
    ['Gross sales', price(totals.gross)],
    ['Refunds', price(-totals.refunds)],
    ['Total Revenue (net)', price(totals.revenue)],
    ['Paid orders', totals.paid_orders],
    ['Average order (net)', price(totals.average)],
    ['Awaiting payment', price(totals.awaiting)],
  ]
  return (
    <Stack gap={4}>
      <DescriptionList
        kind="facts"
        columns="repeat(auto-fit, minmax(140px, 1fr))"
        gap={3}
        columnGap={5}
        className={styles.totals}
      >
        {figures.map(([name, value]) => (
          <Fact key={name} term={name}>
            {value}
          </Fact>
        ))}
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
  return (
    <Loaded what="The history" query={useOrderHistory()} height={240}>
      {(orders) =>
        orders.length === 0 ? (
          <p>No orders yet. Each order appears here as soon as it is placed.</p>
        ) : (
          <>
            <ResourceTable caption="Order history" columns={COLUMNS} rows={orders} keyOf={({ id }) => id} />
            {count > HISTORY_LENGTH && (
              <Text tone="muted" size="xs">
                The newest {HISTORY_LENGTH} of {count} orders. The Orders tab lists all of them.
              </Text>
            )}
          </>
        )
      }
    </Loaded>
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
