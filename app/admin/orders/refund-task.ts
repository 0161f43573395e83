import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { LISTED_ORDER_COLUMNS, listedOrder } from '#domain/order.ts'

const REFETCH_MS = 30_000

/** Oldest first. */
export function useOpenRefundTasks() {
  return useBackendQuery(
    ['orders', 'refund-tasks'],
    (backend) =>
      backend
        .from('refund_tasks')
        .select(`*, orders(${LISTED_ORDER_COLUMNS})`)
        .eq('is_open', true)
        .order('opened_at')
        .limit(500),
    {
      refetchInterval: REFETCH_MS,
      select: (tasks) => tasks.map(({ orders, ...task }) => ({ ...task, order: listedOrder(orders) })),
    },
  )
}
