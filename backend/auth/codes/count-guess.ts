import { forgetTries, giveBackTry, takeTry, type Try } from '../limits/take-try.ts'
import type { AuthParts } from '../parts.ts'
import type { Origin } from '../request.ts'

export interface CountedGuess {
  /** The guess was right: it costs the network address nothing, and the account's failures are forgotten. */
  forgive(): Promise<void>
}

/**
 * Counts a guess at a link, code or other secret as wrong until it is forgiven, so that guesses sent at once are all counted.
 * Throws 429 `over_request_rate_limit` when the network address or the account had too many. `ofAccount` holds the limits of the
 * account that is guessed at, where the request names one.
 */
export async function countGuess(
  { database: { owner }, settings: { limits } }: AuthParts,
  { address }: Origin,
  ofAccount: Try[] = [],
): Promise<CountedGuess> {
  const subject = address ?? 'unknown'
  const ofAddress = { bucket: 'wrong secret', subject, limit: limits.wrongSecretsPerAddress }
  await takeTry(owner, { bucket: 'attempt', subject, limit: limits.attemptsPerAddress })
  await takeTry(owner, ofAddress)
  for (const tried of ofAccount) await takeTry(owner, tried)
  return {
    async forgive() {
      await giveBackTry(owner, ofAddress)
      for (const tried of ofAccount) await forgetTries(owner, tried)
    },
  }
}

/** Six digits withstand a few guesses a day, not a few a minute. The link in the same mail still works. */
export function typedCodeLimits({ settings: { limits } }: AuthParts, address: string): Try[] {
  return [
    { bucket: 'code', subject: address, limit: limits.failuresPerAccount },
    { bucket: 'code of a day', subject: address, limit: limits.wrongCodesPerAccount },
  ]
}
