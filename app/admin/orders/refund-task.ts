import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { Tables } from '#database'
import { useToastMutation } from '../form/use-toast-mutation.ts'

/** Amounts in rand. `amount` is the refundable sum at the cancellation, `outstanding` what is still due. */
export type RefundTask = Pick<
  Tables<'refund_tasks'>,
  'id' | 'order_id' | 'amount' | 'outstanding' | 'opened_at' | 'is_open'
>

export type RefundTaskWithOrder = RefundTask & {
  orders: Pick<Tables<'orders'>, 'order_number' | 'customer_name' | 'customer_email'>
}

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
          .select('*, orders(order_number, customer_name, customer_email)')
          .eq('is_open', true)
          .order('opened_at')
          .limit(500),
      ),
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
