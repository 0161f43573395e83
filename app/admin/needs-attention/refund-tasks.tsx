import { Link } from 'react-router'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { ListedOrder, RefundTask } from '#domain/order.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { RefundDueActions, useOpenRefundTasks } from '../orders/orders.ts'
import { Card, Cards } from './card.tsx'

const EMPTY = {
  title: 'No refunds due',
  advice: 'A cancelled order appears here until its payment is refunded.',
}

export function RefundTasks() {
  return (
    <ResourceList title="To refund" query={useOpenRefundTasks()} rowsOf={(rows) => rows} empty={EMPTY}>
      {(rows) => <Cards items={rows}>{(task) => <TaskCard task={task} />}</Cards>}
    </ResourceList>
  )
}

function TaskCard({ task }: { task: RefundTask & { order: ListedOrder } }) {
  const { order, outstanding, amount } = task
  const title = `${formatTotal(centsFromRand(outstanding))} to refund`

  return (
    <Card
      title={title}
      label={`${title}, order #${order.number}`}
      actions={<RefundDueActions task={task} order={order} />}
    >
      <p>
        <Link to={`/admin/orders/${order.id}`}>#{order.number}</Link>,{' '}
        {order.customerName ?? order.customerEmail ?? 'N/A'}, cancelled <LocalDateTime at={task.opened_at} />
        {outstanding !== amount && `, ${formatTotal(centsFromRand(amount))} was due`}
      </p>
    </Card>
  )
}
