import type { Factor } from '@supabase/supabase-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callAuthApi } from '#app/data/call-auth-api.ts'
import { loadBackend } from '#app/data/backend.ts'
import { invalidateSubjects } from '#app/data/query-keys.ts'
import { useCustomer } from '../account-gate.tsx'

/** Returns every factor of the account, including unfinished enrolments. */
export function useFactors() {
  const { id } = useCustomer()
  return useQuery({
    queryKey: ['factors', id],
    queryFn: async (): Promise<Factor[]> => {
      const client = await loadBackend()
      const { data, error } = await client.auth.mfa.listFactors()
      if (error) throw error
      return data.all
    },
  })
}

interface RecoveryCodesLeft {
  remaining: number
  created_at: string | null
}

export function useRecoveryCodesLeft() {
  const { id } = useCustomer()
  return useQuery({
    queryKey: ['recovery-codes', id],
    queryFn: () => callAuthApi<RecoveryCodesLeft>('GET', '/factors/recovery-codes'),
  })
}

/** Replaces all recovery codes. The server returns them only this once. */
export async function replaceRecoveryCodes(): Promise<string[]> {
  const { recovery_codes: codes } = await callAuthApi<{ recovery_codes: string[] }>(
    'POST',
    '/factors/recovery-codes',
  )
  return codes
}

/** Returns a function that invalidates everything that depends on the second step. */
export function useRefreshSecondStep() {
  const queries = useQueryClient()
  return () => invalidateSubjects(queries, ['factors', 'recovery-codes', 'own-sessions'])
}

export function useRemoveFactor() {
  const refresh = useRefreshSecondStep()
  return useMutation({
    mutationFn: async (factorId: string) => {
      const client = await loadBackend()
      const { error } = await client.auth.mfa.unenroll({ factorId })
      if (error) throw error
      // The access token still lists the removed factor.
      await client.auth.refreshSession()
    },
    onSettled: refresh,
  })
}

/** Returns `Passkey`, `Passkey 2`, …: a name that no other factor of the account has. */
export function uniqueName(base: string, factors: Pick<Factor, 'friendly_name'>[]): string {
  const taken = new Set(factors.map(({ friendly_name: name }) => name))
  if (!taken.has(base)) return base
  let number = 2
  while (taken.has(`${base} ${number}`)) number += 1
  return `${base} ${number}`
}
