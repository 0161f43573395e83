import { useState } from 'react'
import { ResourceList } from '../list/resource-list.tsx'
import { useBalance } from '../orders/payment/payment-record-query.ts'
import { RefundDialog } from '../orders/payment/refund-dialog.tsx'
import { useConcerns, useGone, useOrdersOf, type Concern, type ConcernedOrder } from './concern.ts'
import { ConcernCard, type Decision } from './concern-card.tsx'
import { FailedMails } from './failed-mails.tsx'
import { FullGallery } from './full-gallery.tsx'
import styles from './needs-attention.module.css'
import { RefundTasks } from './refund-tasks.tsx'
import { ResolveDialog } from './resolve-dialog.tsx'
import { SettledMeanwhile } from './settled-meanwhile.tsx'

const EMPTY = {
  title: 'Nothing needs attention',
  advice:
    'Payments that fit no order, and payment notices that failed a check, appear here for your decision.',
}

interface Deciding {
  concern: Concern
  order: ConcernedOrder | null
  decision: Decision
}

/** What no rule may decide: money without an order, orders without money, mails that nobody takes. */
export default function NeedsAttention() {
  const concerns = useConcerns()
  const orders = useOrdersOf(concerns.data ?? [])
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const gone = useGone(concerns.data)
  const orderOf = ({ order_id }: Concern) => (order_id && orders.data?.get(order_id)) || null

  return (
    <div className={styles.page}>
      <SettledMeanwhile gone={gone} />
      <ResourceList title="Needs attention" query={concerns} rowsOf={(rows) => rows} empty={EMPTY}>
        {(rows) => (
          <ul className={styles.cards}>
            {rows.map((concern) => (
              <li key={concern.id}>
                <ConcernCard
                  concern={concern}
                  order={orderOf(concern)}
                  onDecide={(decision) => setDeciding({ concern, order: orderOf(concern), decision })}
                />
              </li>
            ))}
          </ul>
        )}
      </ResourceList>
      <FullGallery />
      <RefundTasks />
      <div id="failed-mails">
        <FailedMails />
      </div>
      {deciding && <DecisionDialog {...deciding} onClose={() => setDeciding(null)} />}
    </div>
  )
}

function DecisionDialog({ concern, order, decision, onClose }: Deciding & { onClose: () => void }) {
  if (decision === 'resolve') return <ResolveDialog concern={concern} onClose={onClose} />
  return concern.payment_id && <RefundOf paymentId={concern.payment_id} order={order} onClose={onClose} />
}

interface RefundOfProps {
  paymentId: string
  order: ConcernedOrder | null
  onClose: () => void
}

function RefundOf({ paymentId, order, onClose }: RefundOfProps) {
  const balance = useBalance(paymentId)
  return balance.data && <RefundDialog balance={balance.data} order={order} onClose={onClose} />
}
