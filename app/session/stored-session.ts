/** What of a session the browser has kept, readable before the backend's client is there. */

export interface SessionUser {
  id: string
  email: string | null
  fullName: string | null
}

/** Where supabase-js keeps the session: named after the first label of the backend's host. */
export function storageKeyFor(hostname: string): string {
  return `sb-${hostname.split('.')[0]}-auth-token`
}

/** The user of a kept session; `null` for none and for anything that is not one. */
export function userOfStored(text: string | null): SessionUser | null {
  if (!text) return null
  try {
    const stored: unknown = JSON.parse(text)
    if (!isRecord(stored) || typeof stored.refresh_token !== 'string') return null
    return sessionUser(stored.user)
  } catch {
    // Another program's or a cut-off value: the same as no session.
    return null
  }
}

/** What pages need of a user, from the client's own shape. */
export function sessionUser(user: unknown): SessionUser | null {
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
