export interface SessionUser {
  id: string
  email: string | null
  fullName: string | null
}

export interface SecondFactor {
  id: string
  /** `totp` or `webauthn`. */
  factor_type: string
  friendly_name?: string | undefined
}

export interface KnownSession {
  user: SessionUser
  /** The account's verified second factors when the session began. */
  factors: SecondFactor[]
  /** The account has a second factor that this session has not verified yet. Counts as signed out. */
  awaitsFactor: boolean
}

/** Returns the localStorage key of supabase-js, which it derives from the first label of the backend's host. */
export function storageKeyFor(hostname: string): string {
  return `sb-${hostname.split('.')[0]}-auth-token`
}

/** Parses the session that supabase-js stored; `null` for a missing or malformed one. */
export function parseStoredSession(text: string | null): KnownSession | null {
  if (!text) return null
  try {
    const stored: unknown = JSON.parse(text)
    if (!isRecord(stored) || typeof stored.refresh_token !== 'string') return null
    return knownSession(stored)
  } catch {
    // A malformed value counts as no session.
    return null
  }
}

/** Converts the client's session; `null` unless it has a user. */
export function knownSession(session: unknown): KnownSession | null {
  if (!isRecord(session)) return null
  const user = sessionUser(session.user)
  if (!user) return null
  const factors = verifiedFactors(session.user)
  return { user, factors, awaitsFactor: factors.length > 0 && levelOf(session.access_token) !== 'aal2' }
}

function verifiedFactors(user: unknown): SecondFactor[] {
  const factors: unknown[] = isRecord(user) && Array.isArray(user.factors) ? user.factors : []
  return factors.filter(isRecord).flatMap(({ id, status, factor_type, friendly_name: name }) => {
    const friendly_name = typeof name === 'string' ? name : undefined
    return status === 'verified' ? [{ id: String(id), factor_type: String(factor_type), friendly_name }] : []
  })
}

/** Returns the unverified `aal` claim. It only decides what the pages show: the database reads the verified claim. */
function levelOf(token: unknown): unknown {
  try {
    const payload = String(token).split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return isRecord(claims) ? claims.aal : undefined
  } catch {
    // A malformed token counts as one without the claim.
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
