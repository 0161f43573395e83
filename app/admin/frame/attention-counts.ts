import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Returns } from '#database'

export type AttentionCounts = Returns<'count_attention'>

const REFETCH_INTERVAL_MS = 60_000

export function useAttentionCounts() {
  return useBackendQuery(['attention-counts'], (backend) => backend.rpc('count_attention'), {
    refetchInterval: REFETCH_INTERVAL_MS,
  })
}
