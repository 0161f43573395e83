import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { LISTED_ORDER_COLUMNS, listedOrder } from '#domain/order.ts'
import { useToastMutation } from '../form/use-toast-mutation.ts'

const REFETCH_MS = 30_000

/** Oldest first. */
export function useOpenRefundTasks() {
  return useQuery({
    queryKey: ['orders', 'refund-tasks'],
    refetchInterval: REFETCH_MS,
    queryFn: () =>
      queryBackend((backend) =>
        backend
          .from('refund_tasks')
          .select(`*, orders(${LISTED_ORDER_COLUMNS})`)
          .eq('is_open', true)
          .order('opened_at')
          .limit(500),
      ),
    select: (tasks) => tasks.map(({ orders, ...task }) => ({ ...task, order: listedOrder(orders) })),
  })
}

export function useDismissRefundTask(taskId: string) {
  return useToastMutation({
    mutationFn: (reason: string) =>
      queryBackend((backend) => backend.rpc('dismiss_refund_task', { task_id: taskId, reason })),
    success: 'Refund dismissed',
    invalidates: ['orders', 'order-events'],
  })
}
