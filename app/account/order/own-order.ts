import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/session/query-backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import type { Returns } from '#database'

export type CustomerOrder = Returns<'get_order'>
export type OwnItem = CustomerOrder['items'][number]
export type OrderEvent = CustomerOrder['timeline'][number]

const CONFIRMING_REFETCH_MS = 5_000

/** `null` when there is no such order, or it is somebody else's: the two look the same. */
export function useOwnOrder(id: string) {
  return useQuery({
    queryKey: ['own-order', id],
    queryFn: () => loadOrder(id),
    refetchInterval: ({ state }) => (state.data?.is_being_confirmed ? CONFIRMING_REFETCH_MS : false),
  })
}

const NO_UUID = '22P02'

async function loadOrder(id: string): Promise<CustomerOrder | null> {
  try {
    return await queryBackend((backend) => backend.rpc('get_order', { order_id: id }))
  } catch (error) {
    const refused = error instanceof Error && isBackendError(error.cause) ? error.cause : null
    if (refused?.details === 'order_not_found' || refused?.code === NO_UUID) return null
    throw error
  }
}

/** Cancels an order that awaits payment, with the money it may hold; answers false when it no longer awaits it. */
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
