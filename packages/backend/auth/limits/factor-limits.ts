import { networkOf } from '#backend/http/network.ts'
import type { AuthContext } from '../auth-context.ts'
import { wasOpenedByMail } from '../sessions/open-session.ts'
import type { SignedIn } from '../sessions/require-session.ts'
import { verifiedFactors } from '../users/user-row.ts'
import { hasShownFactorFrom } from './known-networks.ts'
import type { RateLimit } from './rate-limit.ts'

/**
 * Returns the limits for wrong second-factor codes (decision 0033). Networks where a factor of the account was verified have a separate
 * limit: a thief who knows the password exhausts only the limit of the other networks, and the owner can still sign in.
 */
export async function factorLimits(
  { database, settings }: AuthContext,
  { user }: Pick<SignedIn, 'user'>,
  { factorId, address }: { factorId: string | undefined; address: string },
): Promise<RateLimit[]> {
  const { failuresPerAccount, factorGuessesPerNetwork, factorGuessesPerAccount } = settings.limits
  // Setup of the first factor: guessing is pointless because its secret is on the caller's screen.
  if (verifiedFactors(user).length === 0)
    return [{ bucket: 'factor', subject: user.id, limit: failuresPerAccount }]
  // Passkey signatures cannot be guessed.
  if (user.factors.some(({ id, factor_type }) => id === factorId && factor_type === 'webauthn')) return []
  if (await hasShownFactorFrom(database.owner, user.id, address)) {
    const subject = `${user.id} ${networkOf(address)}`
    return [{ bucket: 'factor from a known network', subject, limit: factorGuessesPerNetwork }]
  }
  return [{ bucket: 'factor from elsewhere', subject: user.id, limit: factorGuessesPerAccount }]
}

/**
 * Returns the limits for wrong recovery codes (decision 0033): separate ones for known networks and for sessions that a mailed link
 * opened. A thief who knows only the password can exhaust neither.
 */
export async function recoveryCodeLimits(
  { database: { owner }, settings }: AuthContext,
  { user, sessionId }: Pick<SignedIn, 'user' | 'sessionId'>,
  address: string,
): Promise<RateLimit[]> {
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
