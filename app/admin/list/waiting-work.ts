import { useQuery } from '@tanstack/react-query'
import { askBackend } from '#app/session/ask-backend.ts'

/** What waits for the brothers; each figure counts the list it opens. */
export interface WaitingWork {
  to_make: number
  to_ship: number
  awaiting_payment: number
  concerns: number
  failed_mails: number
  /** Cancelled orders with money; admins only. */
  to_refund?: number
  low_stock: number
  pending_photos: number
  open_messages: number
}

const AGAIN_AFTER_MS = 60_000

export function useWaitingWork() {
  return useQuery({
    queryKey: ['waiting-work'],
    refetchInterval: AGAIN_AFTER_MS,
    queryFn: () => askBackend<WaitingWork>((backend) => backend.rpc('count_waiting_work')),
  })
}
