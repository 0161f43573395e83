import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Returns } from '#database'
import { customerOrder } from '#domain/order.ts'

const CONFIRMING_REFETCH_MS = 5_000

/** Returns `null` for a missing order and for someone else's, so that neither reveals anything. */
export function useOwnOrder(id: string) {
  return useQuery({
    queryKey: ['own-order', id],
    queryFn: () => loadOrder(id),
    select: (document) => document && customerOrder(document),
    refetchInterval: ({ state }) => (state.data?.is_being_confirmed ? CONFIRMING_REFETCH_MS : false),
  })
}

const MALFORMED_ID = '22P02'

async function loadOrder(id: string): Promise<Returns<'get_order'> | null> {
  try {
    return await queryBackend((backend) => backend.rpc('get_order', { order_id: id }))
  } catch (error) {
    const cause = backendError(error)
    if (cause?.details === 'order_not_found' || cause?.code === MALFORMED_ID) return null
    throw error
  }
}

/** Cancels an unpaid order, including one with a partial payment. Resolves to false if the order is not awaiting payment. */
export function useCancelOrder(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => queryBackend((backend) => backend.rpc('cancel_own_order', { order_id: id })),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['own-order', id] }),
        queries.invalidateQueries({ queryKey: ['own-orders'] }),
      ]),
  })
}
