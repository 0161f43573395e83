import type { Factor } from '@supabase/supabase-js'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { useSession } from '#app/data/session.tsx'

/** Returns every factor of the account, including unfinished enrolments. */
export function useFactors(): UseQueryResult<Factor[]> {
  const { user } = useSession()
  return useQuery({
    queryKey: ['factors', user?.id],
    queryFn: async () => (await queryBackend(({ auth }) => auth.mfa.listFactors())).all,
  })
}
