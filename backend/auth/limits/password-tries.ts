import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'

import { networkOf } from '#backend/http/network.ts'
import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import type { Limit } from '../settings.ts'
import { isKnownNetwork } from './known-networks.ts'
import { countLevel, forgetTries, takeTry } from './take-try.ts'

export interface PasswordTry {
  email: string
  address: string | null
}

/** How many tries of one account wait for their turn; a longer line would only make each wait longer. */
const WAITING_PER_ACCOUNT = 2
/** In this process, for all accounts: a waiting request keeps its connection. */
const WAITING_AT_MOST = 20

let waiting = 0

/**
 * Limits the passwords that are tried for an account without locking its owner out (decision 0023).
 *
 * Tries from one address count for that address and account. Tries from all addresses that have never signed in to the account
 * also count together: beyond that limit they take turns, and what would wait too long is refused. An account that does not exist
 * is treated the same.
 */
export async function limitPasswordTries(auth: AuthParts, tried: PasswordTry): Promise<void> {
  const { owner } = auth.database
  const { attemptsPerAddress, passwordsPerAccount } = auth.settings.limits
  const address = tried.address ?? 'unknown'
  await takeTry(owner, { bucket: 'attempt', subject: address, limit: attemptsPerAddress })
  await takeTry(owner, fromAddress(auth, tried))
  if (await isKnownNetwork(owner, tried.email, address)) return
  await takeTurn(owner, tried.email, passwordsPerAccount)
}

/** The password was right: earlier mistakes at this address no longer count. */
export async function forgetPasswordTries(auth: AuthParts, tried: PasswordTry): Promise<void> {
  await forgetTries(auth.database.owner, fromAddress(auth, tried))
}

function fromAddress({ settings }: AuthParts, { email, address }: PasswordTry) {
  const subject = `${email} ${networkOf(address ?? 'unknown')}`
  return { bucket: 'password', subject, limit: settings.limits.passwordsPerAccountAndAddress }
}

/** Room beyond the limit that drains as fast as the limit itself: what is counted there waits until it would have been let in. */
async function takeTurn(owner: Pool, email: string, limit: Limit): Promise<void> {
  const tries = limit.tries + WAITING_PER_ACCOUNT
  const room = { tries, periodSeconds: (limit.periodSeconds * tries) / limit.tries }
  const level = await countLevel(owner, { bucket: 'password of account', subject: email, limit: room })
  if (level === null || waiting >= WAITING_AT_MOST) {
    throw new AuthError('over_request_rate_limit', 'Request rate limit reached')
  }
  if (level <= limit.tries) return

  waiting += 1
  const seconds = ((level - limit.tries) * limit.periodSeconds) / limit.tries
  await pause(seconds * 1000).finally(() => (waiting -= 1))
}
