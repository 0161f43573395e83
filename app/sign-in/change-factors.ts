import { endsWithin } from '#app/data/ends-within.ts'
import { NoResponseError } from '#app/data/query-backend.ts'
import { refreshToken } from '#app/data/refresh-token.ts'

/** The client repeats a refresh without an answer for half a minute. */
const REFRESH_MS = 5_000

/**
 * Waits for a change of the account's second factors. After a lost answer it refreshes the token, which the change may have outdated:
 * the database shows empty tables to a token whose level is lower than the account needs, or higher than its session's.
 */
export async function changeFactors<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (error instanceof NoResponseError) await endsWithin(refreshToken(), REFRESH_MS)
    throw error
  }
}
