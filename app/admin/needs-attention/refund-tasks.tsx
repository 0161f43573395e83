import { Link } from 'react-router'
import { Panel, Row } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { RefundDueActions, useOpenRefundTasks, type RefundTaskWithOrder } from '../orders/orders.ts'
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

function TaskCard({ task }: { task: RefundTaskWithOrder }) {
  const { order_id: id, orders: order, outstanding, amount } = task
  const number = orderNumberText(order.order_number)
  const title = `${formatTotal(centsFromRand(outstanding))} to refund`

  return (
    <Panel
      as="article"
      gap={3}
      justify="start"
      breakWords
      className={styles.card}
      aria-label={`${title}, order #${number}`}
    >
      <h3>{title}</h3>
      <p>
        <Link to={`/admin/orders/${id}`}>#{number}</Link>,{' '}
        {order.customer_name ?? order.customer_email ?? 'N/A'}, cancelled{' '}
        <LocalDateTime at={task.opened_at} />
        {outstanding !== amount && `, ${formatTotal(centsFromRand(amount))} was due`}
      </p>
      <Row gap={2} align="stretch" wrap className={styles.actions}>
        <RefundDueActions task={task} order={{ id, number, status: 'cancelled' }} />
      </Row>
    </Panel>
  )
}
