import type { Factor } from '@supabase/supabase-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callAuthApi } from '#app/session/call-auth-api.ts'
import { loadBackend } from '#app/session/backend.ts'
import { useCustomer } from '../account-gate.tsx'

/** Every factor of the account, also one whose setting up was begun and not finished. */
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

/** A new set in the place of the old one; shown this once. */
export async function makeRecoveryCodes(): Promise<string[]> {
  const answer = await callAuthApi<{ recovery_codes: string[] }>('POST', '/factors/recovery-codes')
  return answer.recovery_codes
}

/** Asks anew for everything that a change of the second step changes. */
export function useRefreshSecondStep() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      ['factors', 'recovery-codes', 'own-sessions'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    )
}

export function useRemoveFactor() {
  const refresh = useRefreshSecondStep()
  return useMutation({
    mutationFn: async (factorId: string) => {
      const client = await loadBackend()
      const { error } = await client.auth.mfa.unenroll({ factorId })
      if (error) throw error
      // The token still says what the account had.
      await client.auth.refreshSession()
    },
    onSettled: refresh,
  })
}

/** `Passkey`, `Passkey 2`, …: a name that no factor of the account has. */
export function freeName(wanted: string, factors: Pick<Factor, 'friendly_name'>[]): string {
  const taken = new Set(factors.map(({ friendly_name: name }) => name))
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted} ${number}`)) number += 1
  return `${wanted} ${number}`
}
