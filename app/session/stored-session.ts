/** What of a session the browser has kept, readable before the backend's client is there. */

export interface SessionUser {
  id: string
  email: string | null
  fullName: string | null
}

export interface KnownSession {
  user: SessionUser
  /** The account has a second factor that this session has not shown yet: so far nobody is signed in. */
  awaitsFactor: boolean
}

/** Where supabase-js keeps the session: named after the first label of the backend's host. */
export function storageKeyFor(hostname: string): string {
  return `sb-${hostname.split('.')[0]}-auth-token`
}

/** A kept session; `null` for none and for anything that is not one. */
export function readStored(text: string | null): KnownSession | null {
  if (!text) return null
  try {
    const stored: unknown = JSON.parse(text)
    if (!isRecord(stored) || typeof stored.refresh_token !== 'string') return null
    return knownSession(stored)
  } catch {
    // Another program's or a cut-off value: the same as no session.
    return null
  }
}

/** What pages need of a session, from the client's own shape. */
export function knownSession(session: unknown): KnownSession | null {
  if (!isRecord(session)) return null
  const user = sessionUser(session.user)
  if (!user) return null
  return { user, awaitsFactor: hasVerifiedFactor(session.user) && levelOf(session.access_token) !== 'aal2' }
}

function hasVerifiedFactor(user: unknown): boolean {
  const factors = isRecord(user) && Array.isArray(user.factors) ? user.factors : []
  return factors.some((factor) => isRecord(factor) && factor.status === 'verified')
}

/** The assurance level that the token claims. It only decides what is shown: the database reads the verified claim. */
function levelOf(token: unknown): unknown {
  try {
    const payload = String(token).split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return isRecord(claims) ? claims.aal : undefined
  } catch {
    // No token that could be read claims nothing.
    return undefined
  }
}

function sessionUser(user: unknown): SessionUser | null {
  if (!isRecord(user) || typeof user.id !== 'string') return null
  const metadata = isRecord(user.user_metadata) ? user.user_metadata : {}
  return {
    id: user.id,
    email: typeof user.email === 'string' ? user.email : null,
    fullName: typeof metadata.full_name === 'string' ? metadata.full_name : null,
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
