import type { Factor } from '@supabase/supabase-js'
import { useQuery } from '@tanstack/react-query'
import { authErrorCode } from '#app/data/backend-error.ts'
import { failureText } from '#app/data/failure-text.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { changeFactors } from '#app/sign-in/change-factors.ts'
import { useCustomer } from '../account-gate.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

/** What depends on the second step. */
export const SECOND_STEP = ['factors', 'recovery-codes', 'own-sessions'] as const

const codesFailure = failureText({
  refused: 'No codes were created. Please try again.',
  lost: 'We didn’t get an answer, so older codes may no longer work. Please create new ones.',
})
const removalFailure = failureText({
  refused: 'It was not removed. Please try again.',
  lost: 'We didn’t get an answer, so it may already be removed. Please reload the page.',
})

/** Whether the server refused the change because the last sign-in is too long ago. */
export function needsProof(error: Error | null): boolean {
  return authErrorCode(error) === 'reauthentication_needed'
}

export function useRecoveryCodesLeft() {
  const { id } = useCustomer()
  return useQuery({
    queryKey: ['recovery-codes', id],
    queryFn: async () => (await queryBackend(({ auth }) => auth.mfa.recoveryCodes.getStatus())).remaining,
  })
}

/** Replaces all recovery codes. The server returns them only this once. */
export function useReplaceRecoveryCodes() {
  return useToastMutation({
    mutationFn: async () => (await queryBackend(({ auth }) => auth.mfa.recoveryCodes.generate())).codes,
    errorText: codesFailure,
    isShownByForm: needsProof,
    invalidates: SECOND_STEP,
  })
}

export function useRemoveFactor() {
  return useToastMutation({
    mutationFn: async ({ id: factorId }: Factor) => {
      await changeFactors(queryBackend(({ auth }) => auth.mfa.unenroll({ factorId })))
      // The access token still lists the removed factor.
      await queryBackend(({ auth }) => auth.refreshSession())
    },
    success: ({ friendly_name: name }) => ({ title: `${name ?? 'Second step'} removed` }),
    errorText: removalFailure,
    isShownByForm: needsProof,
    invalidates: SECOND_STEP,
  })
}

/** Returns a name that no factor of the account has. Asks the server: a factor whose answer was lost is in no list of the page. */
export async function unusedName(base: string): Promise<string> {
  const { all } = await queryBackend(({ auth }) => auth.mfa.listFactors())
  return uniqueName(base, all)
}

/** Returns `Passkey`, `Passkey 2`, …: a name that none of the factors has. */
export function uniqueName(base: string, factors: Pick<Factor, 'friendly_name'>[]): string {
  const taken = new Set(factors.map(({ friendly_name: name }) => name))
  if (!taken.has(base)) return base
  let number = 2
  while (taken.has(`${base} ${number}`)) number += 1
  return `${base} ${number}`
}
