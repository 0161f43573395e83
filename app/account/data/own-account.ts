import { authErrorCode, backendError } from '#app/data/backend-error.ts'
import { queryBackend } from '#app/data/query-backend.ts'

const MAYBE_DELETED = 'We didn’t get an answer, so your account may already be deleted. Please try again.'

/** Deletes the account. Returns an error message, or null; throws for other errors of the database, which change nothing. */
export async function closeAccount(): Promise<string | null> {
  try {
    await queryBackend((backend) => backend.rpc('close_account'))
    return null
  } catch (error) {
    const refusal = backendError(error)
    // A proxy's error has no code either, and may hide a success.
    if (!refusal?.code) return (await isClosed().catch(() => false)) ? null : MAYBE_DELETED
    if (refusal.code.startsWith('PT')) return refusal.message
    throw error
  }
}

/** Whether an earlier attempt, whose response was lost, has deleted the account. */
export async function isClosed(): Promise<boolean> {
  try {
    await queryBackend(({ auth }) => auth.getUser())
    return false
  } catch (error) {
    if (authErrorCode(error) === 'user_not_found') return true
    throw error
  }
}
