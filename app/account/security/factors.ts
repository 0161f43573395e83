import type { Factor } from '@supabase/supabase-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { invalidateSubjects } from '#app/data/query-keys.ts'
import { useCustomer } from '../account-gate.tsx'

export function useRecoveryCodesLeft() {
  const { id } = useCustomer()
  return useQuery({
    queryKey: ['recovery-codes', id],
    queryFn: async () => (await queryBackend(({ auth }) => auth.mfa.recoveryCodes.getStatus())).remaining,
  })
}

/** Replaces all recovery codes. The server returns them only this once. */
export async function replaceRecoveryCodes(): Promise<string[]> {
  const { codes } = await queryBackend(({ auth }) => auth.mfa.recoveryCodes.generate())
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
      await queryBackend(({ auth }) => auth.mfa.unenroll({ factorId }))
      // The access token still lists the removed factor.
      await queryBackend(({ auth }) => auth.refreshSession())
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
