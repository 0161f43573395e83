import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { LISTED_ORDER_COLUMNS, listedOrder } from '#domain/order.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

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

export function useDismissRefundTask(taskId: string) {
  return useToastMutation({
    mutationFn: (reason: string) =>
      queryBackend((backend) => backend.rpc('dismiss_refund_task', { task_id: taskId, reason })),
    success: 'Refund dismissed',
    invalidates: ['orders', 'order-events'],
  })
}
