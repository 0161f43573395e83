import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { Returns } from '#database'

export type AttentionCounts = Returns<'count_attention'>

const REFETCH_INTERVAL_MS = 60_000

export function useAttentionCounts() {
  return useQuery({
    queryKey: ['attention-counts'],
    refetchInterval: REFETCH_INTERVAL_MS,
    queryFn: () => queryBackend((backend) => backend.rpc('count_attention')),
  })
}
