import { backendHeaders, loadBackend, signedInHeaders } from '#app/data/backend.ts'
import { currentSession } from '#app/data/current-session.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { sessionRenewal } from '#app/data/session-renewal.ts'
import { parseStoredSession, storageKeyFor, type SessionUser } from '#app/data/stored-session.ts'
import { safePath } from '#app/data/safe-path.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** A mailed link. `/auth/v1/confirm` passes it in the URL fragment, which browsers do not send, so no log contains it. */
export interface MailLink {
  tokenHash: string
  type: string
  /** The page to open afterwards; a path of this site. */
  next: string
}

export function readMailLink(hash: string): MailLink | null {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  const [tokenHash, type] = [values.get('token_hash'), values.get('type')]
  if (!tokenHash || !type) return null
  return { tokenHash, type, next: pathOf(values.get('redirect_to')) }
}

function pathOf(address: string | null): string {
  const url = address && URL.canParse(address) ? new URL(address) : null
  return (url && safePath(url.pathname + url.search)) || '/'
}

interface Tokens {
  access_token: string
  refresh_token: string
  user: { id: string; email?: string; app_metadata?: { needs_password?: boolean } }
}

export type Followed =
  | { outcome: 'refused' }
  | { outcome: 'half-done' }
  | { outcome: 'signed-in'; tokens: Tokens }

/** Verifies the link, which works once. Does not store the session, because this browser may hold another user's. */
export async function followMailLink({ tokenHash, type }: MailLink): Promise<Followed> {
  const answer = await fetch('/auth/v1/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await ownHeaders()) },
    body: JSON.stringify({ type, token_hash: tokenHash }),
  })
  if (answer.status >= 500 || answer.status === 429) throw new Error(`the shop answered ${answer.status}`)
  if (!answer.ok) return { outcome: 'refused' }
  const body: unknown = await answer.json()
  return isTokens(body) ? { outcome: 'signed-in', tokens: body } : { outcome: 'half-done' }
}

/** Sends this browser's session: if it belongs to the account, the confirmation keeps the account's password and sessions. */
async function ownHeaders(): Promise<Record<string, string>> {
  if (!currentUser()) return backendHeaders()
  await renewRefusedSession()
  return signedInHeaders()
}

/**
 * The server takes a request with an expired token for a visitor's, which would replace the sign-up (decision 0024). A browser whose clock
 * is behind does not notice the expiry. Throws if the session goes on and cannot be renewed.
 */
async function renewRefusedSession(): Promise<void> {
  // Throws without a signal: the client would repeat the refresh of an expired session for half a minute.
  await fetch('/auth/v1/health', { headers: backendHeaders() })
  const { auth } = await loadBackend()
  const session = await currentSession(auth)
  if (!session) return
  const { error } = await auth.getUser()
  if (!error) return
  // Only a refusal has a code. The signal may be lost by now.
  if (!error.code && currentUser()) throw error
  const renewed = await sessionRenewal(auth)(session)
  if (!renewed && currentUser()) throw new Error('the session could not be refreshed')
}

function currentUser(): SessionUser | null {
  return parseStoredSession(localStore().getItem(storageKeyFor(location.hostname)))?.user ?? null
}

function isTokens(body: unknown): body is Tokens {
  return typeof body === 'object' && body !== null && 'refresh_token' in body && 'user' in body
}

/** Returns the user whom storing these tokens would sign out of this browser, or null. */
export function displacedUser({ user }: Tokens): SessionUser | null {
  const current = currentUser()
  return current && current.id !== user.id ? current : null
}

export async function keepTokens({ access_token, refresh_token }: Tokens): Promise<void> {
  await queryBackend(({ auth }) => auth.setSession({ access_token, refresh_token }))
}

/** Ends the session of a link when the visitor decides against it. */
export async function dropTokens({ access_token }: Tokens): Promise<void> {
  await fetch('/auth/v1/logout?scope=local', {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, ...backendHeaders() },
  })
}

/**
 * Loads a new page, because the target reads the result from its fragment while it loads. Never resolves, so that the buttons stay
 * disabled until the browser has left.
 */
export function goOn(next: string, answer: Record<string, string> = {}): Promise<never> {
  const fragment = new URLSearchParams(answer)
  location.replace(fragment.size > 0 ? `${next}#${fragment}` : next)
  return new Promise(() => {})
}
