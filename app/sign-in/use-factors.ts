import type { Factor } from '@supabase/supabase-js'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { useSession } from '#app/data/session.tsx'

/** Returns every factor of the account, including unfinished enrolments. */
export function useFactors(): UseQueryResult<Factor[]> {
  const { user } = useSession()
  return useQuery({ queryKey: ['factors', user?.id], queryFn: loadFactors })
}

async function loadFactors(): Promise<Factor[]> {
  const { all } = await queryBackend(({ auth }) => auth.mfa.listFactors())
  const { currentLevel } = await queryBackend(({ auth }) => auth.mfa.getAuthenticatorAssuranceLevel())
  // The page that added the first factor was closed before the answer: with its old token, the tables stay empty.
  if (currentLevel === 'aal1' && all.some(({ status }) => status === 'verified'))
    await queryBackend(({ auth }) => auth.refreshSession())
  return all
}
