import { Link } from 'react-router'
import { Panel, Row } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { ListedOrder, RefundTask } from '#domain/order.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { RefundDueActions, useOpenRefundTasks } from '../orders/orders.ts'
import styles from './needs-attention.module.css'

const EMPTY = {
  title: 'No refunds due',
  advice: 'A cancelled order appears here until its payment is refunded.',
}

export function RefundTasks() {
  const tasks = useOpenRefundTasks()

  return (
    <ResourceList title="To refund" query={tasks} rowsOf={(rows) => rows} empty={EMPTY}>
      {(rows) => (
        <ul className={styles.cards}>
          {rows.map((task) => (
            <li key={task.id}>
              <TaskCard task={task} />
            </li>
          ))}
        </ul>
      )}
    </ResourceList>
  )
}

function TaskCard({ task }: { task: RefundTask & { order: ListedOrder } }) {
  const { order, outstanding, amount } = task
  const title = `${formatTotal(centsFromRand(outstanding))} to refund`

  return (
    <Panel
      as="article"
      gap={3}
      justify="start"
      breakWords
      className={styles.card}
      aria-label={`${title}, order #${order.number}`}
    >
      <h3>{title}</h3>
      <p>
        <Link to={`/admin/orders/${order.id}`}>#{order.number}</Link>,{' '}
        {order.customerName ?? order.customerEmail ?? 'N/A'}, cancelled <LocalDateTime at={task.opened_at} />
        {outstanding !== amount && `, ${formatTotal(centsFromRand(amount))} was due`}
      </p>
      <Row gap={2} align="stretch" wrap className={styles.actions}>
        <RefundDueActions task={task} order={order} />
      </Row>
    </Panel>
  )
}
