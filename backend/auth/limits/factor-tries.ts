import { networkOf } from '#backend/http/network.ts'
import type { AuthParts } from '../parts.ts'
import { wasOpenedByMail } from '../sessions/open-session.ts'
import type { SignedIn } from '../sessions/require-session.ts'
import { verifiedFactors } from '../users/user-row.ts'
import { hasShownFactorFrom } from './known-networks.ts'
import type { Try } from './take-try.ts'

export interface FactorTry {
  factorId: string | undefined
  address: string
}

/**
 * The limits of wrong codes for a second factor (decision 0033). A thief who knows the password may use up the tries from networks
 * where no factor of the account was ever shown; a network where one was shown has tries of its own, so the owner gets in.
 */
export async function factorLimits(
  { database, settings }: AuthParts,
  { user }: Pick<SignedIn, 'user'>,
  { factorId, address }: FactorTry,
): Promise<Try[]> {
  const { failuresPerAccount, factorGuessesPerNetwork, factorGuessesPerAccount } = settings.limits
  // The first factor is being set up: its secret is on the caller's screen.
  if (verifiedFactors(user).length === 0)
    return [{ bucket: 'factor', subject: user.id, limit: failuresPerAccount }]
  // A signature cannot be guessed, so refused ones use nothing up.
  if (user.factors.some(({ id, factor_type }) => id === factorId && factor_type === 'webauthn')) return []
  if (await hasShownFactorFrom(database.owner, user.id, address)) {
    const subject = `${user.id} ${networkOf(address)}`
    return [{ bucket: 'factor from a known network', subject, limit: factorGuessesPerNetwork }]
  }
  return [{ bucket: 'factor from elsewhere', subject: user.id, limit: factorGuessesPerAccount }]
}

/**
 * The limits of wrong recovery codes (decision 0033): the same two places as for a factor, and a third for sessions that a mailed link
 * opened. A thief who knows the password alone reaches only the shared one, so it cannot use up the owner's tries.
 */
export async function recoveryCodeLimits(
  { database: { owner }, settings }: AuthParts,
  { user, sessionId }: Pick<SignedIn, 'user' | 'sessionId'>,
  address: string,
): Promise<Try[]> {
  const { recoveryGuessesPerNetwork, recoveryGuessesPerAccount: limit } = settings.limits
  if (await hasShownFactorFrom(owner, user.id, address)) {
    const subject = `${user.id} ${networkOf(address)}`
    return [{ bucket: 'recovery code from a known network', subject, limit: recoveryGuessesPerNetwork }]
  }
  if (await wasOpenedByMail(owner, sessionId)) {
    return [{ bucket: 'recovery code after a mailed link', subject: user.id, limit }]
  }
  return [{ bucket: 'recovery code from elsewhere', subject: user.id, limit }]
}
