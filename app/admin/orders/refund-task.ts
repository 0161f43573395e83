import { useQuery } from '@tanstack/react-query'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'

/** A row of `refund_tasks`; rand. */
export interface RefundTask {
  id: string
  order_id: string
  /** What the order held when it was cancelled. */
  amount: number
  outstanding: number
  opened_at: string
  is_open: boolean
}

export interface RefundTaskOfOrder extends RefundTask {
  orders: { order_number: number; customer_name: string | null; customer_email: string | null }
}

const AGAIN_AFTER_MS = 30_000

/** Oldest first: its customer has waited longest. */
export function useOpenRefundTasks() {
  return useQuery({
    queryKey: ['orders', 'refund-tasks'],
    refetchInterval: AGAIN_AFTER_MS,
    queryFn: () =>
      askBackend<RefundTaskOfOrder[]>((backend) =>
        backend
          .from('refund_tasks')
          .select('*, orders(order_number, customer_name, customer_email)')
          .eq('is_open', true)
          .order('opened_at')
          .limit(500)
          .overrideTypes<RefundTaskOfOrder[], { merge: false }>(),
      ),
  })
}

export function useDismissRefundTask(taskId: string) {
  return useChange({
    change: (reason: string) =>
      tellBackend((backend) => backend.rpc('dismiss_refund_task', { task_id: taskId, reason })),
    done: 'Refund dismissed',
    refreshes: ['orders'],
  })
}
