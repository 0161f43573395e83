import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'

import { networkOf } from '#backend/http/network.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Limit } from './default-limits.ts'
import { isKnownNetwork } from './known-networks.ts'
import { raiseRateLimitLevel, resetRateLimit, consumeRateLimit } from './rate-limit.ts'

export interface PasswordAttempt {
  email: string
  address: string | null
}

const MAX_WAITING_PER_ACCOUNT = 2
/** For all accounts in this process: each delayed request keeps its connection open. */
const MAX_WAITING = 20

let waiting = 0

/**
 * Limits password attempts without locking out the account's owner (decision 0023). Throws 429 `over_request_rate_limit`.
 *
 * Attempts count per address and account. Attempts from networks that have never signed in to the account also share one limit; beyond
 * it they are delayed, and refused when the delay would be too long. Unknown accounts are treated the same.
 */
export async function limitPasswordAttempts(auth: AuthContext, attempt: PasswordAttempt): Promise<void> {
  const { owner } = auth.database
  const { attemptsPerAddress, passwordsPerAccount } = auth.settings.limits
  const address = attempt.address ?? 'unknown'
  await consumeRateLimit(owner, { bucket: 'attempt', subject: address, limit: attemptsPerAddress })
  await consumeRateLimit(owner, addressLimit(auth, attempt))
  if (await isKnownNetwork(owner, attempt.email, address)) return
  await throttleAccount(owner, attempt.email, passwordsPerAccount)
}

/** Call after a correct password. */
export async function resetPasswordLimit(auth: AuthContext, attempt: PasswordAttempt): Promise<void> {
  await resetRateLimit(auth.database.owner, addressLimit(auth, attempt))
}

function addressLimit({ settings }: AuthContext, { email, address }: PasswordAttempt) {
  const subject = `${email} ${networkOf(address ?? 'unknown')}`
  return { bucket: 'password', subject, limit: settings.limits.passwordsPerAccountAndAddress }
}

/** Delays attempts beyond `limit` by an overflow that drains at the same rate; refuses them when the overflow is full. */
async function throttleAccount(owner: Pool, email: string, limit: Limit): Promise<void> {
  const tries = limit.tries + MAX_WAITING_PER_ACCOUNT
  const room = { tries, periodSeconds: (limit.periodSeconds * tries) / limit.tries }
  const level = await raiseRateLimitLevel(owner, {
    bucket: 'password of account',
    subject: email,
    limit: room,
  })
  // Before the check of the queue, which attempts on other accounts may have filled.
  if (level !== null && level <= limit.tries) return
  if (level === null || waiting >= MAX_WAITING) {
    throw new AuthError('over_request_rate_limit', 'Request rate limit reached')
  }

  waiting += 1
  const seconds = ((level - limit.tries) * limit.periodSeconds) / limit.tries
  await pause(seconds * 1000).finally(() => (waiting -= 1))
}
