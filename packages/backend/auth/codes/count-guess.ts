import { resetRateLimit, creditRateLimit, consumeRateLimit, type RateLimit } from '../limits/rate-limit.ts'
import type { AuthContext } from '../auth-context.ts'
import type { RequestSource } from '../request.ts'

export interface CountedGuess {
  /** Call after a correct guess: gives back its cost to the network address and resets the account's limits. */
  forgive(): Promise<void>
}

/**
 * Counts a guess at a link, code or other secret as wrong until it is forgiven, so that concurrent guesses are all counted. Throws 429
 * `over_request_rate_limit`. `accountLimits` are those of the guessed account, if the request names one.
 */
export async function countGuess(
  { database: { owner }, settings: { limits } }: AuthContext,
  { address }: RequestSource,
  accountLimits: RateLimit[] = [],
): Promise<CountedGuess> {
  const subject = address ?? 'unknown'
  const addressLimit = { bucket: 'wrong secret', subject, limit: limits.wrongSecretsPerAddress }
  await consumeRateLimit(owner, { bucket: 'attempt', subject, limit: limits.attemptsPerAddress })
  await consumeRateLimit(owner, addressLimit)
  for (const rateLimit of accountLimits) await consumeRateLimit(owner, rateLimit)
  return {
    async forgive() {
      await creditRateLimit(owner, addressLimit)
      for (const rateLimit of accountLimits) await resetRateLimit(owner, rateLimit)
    },
  }
}

/** Limits guesses per day as well, because codes have only six digits. The link in the same mail still works. */
export function typedCodeLimits({ settings: { limits } }: AuthContext, address: string): RateLimit[] {
  return [
    { bucket: 'code', subject: address, limit: limits.failuresPerAccount },
    { bucket: 'code of a day', subject: address, limit: limits.wrongCodesPerAccount },
  ]
}
