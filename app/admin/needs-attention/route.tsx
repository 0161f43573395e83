import { useState } from 'react'
import { Stack } from '#app/ui/layout.tsx'
import type { OrderView } from '#domain/order.ts'
import { QueryFailure, ResourceList } from '../list/resource-list.tsx'
import { RefundDialog, useBalance } from '../orders/orders.ts'
import { useClosedIssues, useOpenIssues, useOrdersOf, type PaymentIssue } from './payment-issue.ts'
import { IssueCard, type IssueAction } from './issue-card.tsx'
import { FailedMails } from './failed-mails.tsx'
import { FullGallery } from './full-gallery.tsx'
import { RefundTasks } from './refund-tasks.tsx'
import { ResolveDialog } from './resolve-dialog.tsx'
import { RecentlyResolved } from './recently-resolved.tsx'
import { Cards } from './card.tsx'
import styles from './needs-attention.module.css'

const EMPTY = {
  title: 'Nothing needs attention',
  advice:
    'Payments without a matching order and payment notices that failed a check appear here for your decision.',
}

interface Deciding {
  issue: PaymentIssue
  order: OrderView | null
  decision: IssueAction
}

/** Work that needs a human decision: payment issues, full gallery days, due refunds and failed mails. */
export default function NeedsAttention() {
  const issues = useOpenIssues()
  const orders = useOrdersOf(issues.data ?? [])
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const closed = useClosedIssues(issues.data)
  const [isArranged, setIsArranged] = useState(false)
  if (!isArranged && !issues.isLoading && !orders.isLoading) setIsArranged(true)
  /** Null for an issue without an order, or whose order was deleted; undefined until loaded. */
  const orderOf = ({ order_id }: PaymentIssue) => {
    const order = order_id === null ? null : orders.data?.get(order_id)
    return order === undefined && orders.data && !orders.isPlaceholderData ? null : order
  }

  return (
    <Stack gap={7}>
      <RecentlyResolved closed={closed} />
      {/* Without the orders, issues lack the buttons that need one. */}
      {!orders.data && <QueryFailure what="The orders of these issues" query={orders} />}
      <ResourceList
        title="Needs attention"
        query={issues}
        rowsOf={(rows) => rows}
        empty={EMPTY}
        isWaiting={!isArranged}
      >
        {(rows) => (
          <Cards items={rows}>
            {(issue) => (
              <IssueCard
                issue={issue}
                order={orderOf(issue)}
                onDecide={(decision) => setDeciding({ issue, order: orderOf(issue) ?? null, decision })}
              />
            )}
          </Cards>
        )}
      </ResourceList>
      {/* What arrives later than the parts below it would move their buttons from under the pointer. */}
      <Stack gap={7} className={isArranged ? undefined : styles.arriving}>
        <FullGallery />
        <RefundTasks />
        <div id="failed-mails">
          <FailedMails />
        </div>
      </Stack>
      {deciding && <DecisionDialog {...deciding} onClose={() => setDeciding(null)} />}
    </Stack>
  )
}

function DecisionDialog({ issue, order, decision, onClose }: Deciding & { onClose: () => void }) {
  if (decision === 'resolve') return <ResolveDialog issue={issue} onClose={onClose} />
  return issue.payment_id && <RefundOf paymentId={issue.payment_id} order={order} onClose={onClose} />
}

interface RefundOfProps {
  paymentId: string
  order: OrderView | null
  onClose: () => void
}

function RefundOf({ paymentId, order, onClose }: RefundOfProps) {
  const balance = useBalance(paymentId)
  return balance.data && <RefundDialog balance={balance.data} order={order} onClose={onClose} />
}
