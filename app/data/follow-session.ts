import { loadBackend, onBackendLoaded } from './backend.ts'
import { pause } from './pause.ts'
import { knownSession, parseStoredSession, storageKeyFor, type KnownSession } from './stored-session.ts'
import { fetchStaffRole, type Role } from './staff-role.ts'
import { localStore } from '#app/ui/browser-store.ts'

const ROLE_PAUSE_MS = 5_000

interface SessionListener {
  onSession: (session: KnownSession | null) => void
  /** `undefined`: the lookup failed and is repeated. */
  onRole: (user: { userId: string; role: Role | null | undefined }) => void
}

/**
 * Calls `onSession` with the stored session at once, then with every change that the client reports, and `onRole` once for each user, and
 * before that after each failed lookup, which is repeated.
 * Without a stored session the client is not loaded until someone signs in, in this tab or another. Returns a function that stops it.
 */
export function followSession({ onSession, onRole }: SessionListener): () => void {
  const key = storageKeyFor(location.hostname)
  const stopped = new AbortController()
  let lastReported: string | undefined
  let lastUserId: string | undefined

  function reportChange(session: KnownSession | null) {
    const serialized = JSON.stringify(session)
    if (serialized === lastReported || stopped.signal.aborted) return
    lastReported = serialized
    onSession(session)
    void reportRole(session)
  }

  async function reportRole(session: KnownSession | null) {
    const userId = session?.awaitsFactor ? undefined : session?.user.id
    if (userId === lastUserId) return
    lastUserId = userId
    if (userId) await lookUpRole(userId)
  }

  async function lookUpRole(userId: string): Promise<void> {
    const isCurrent = () => userId === lastUserId && !stopped.signal.aborted
    try {
      const role = await fetchStaffRole(await loadBackend(), userId)
      if (isCurrent()) onRole({ userId, role })
    } catch (error) {
      console.error('admin check failed', error)
      if (isCurrent()) onRole({ userId, role: undefined })
      await pause(ROLE_PAUSE_MS)
      if (isCurrent()) await lookUpRole(userId)
    }
  }

  function reportStored(): KnownSession | null {
    const session = parseStoredSession(localStore().getItem(key))
    reportChange(session)
    return session
  }

  const stopWaiting = onBackendLoaded((client) => {
    const { data } = client.auth.onAuthStateChange((event, session) => {
      // Offline, the client reports null for a session that it could not refresh, although one is stored.
      if (event === 'INITIAL_SESSION' && !session) reportStored()
      else reportChange(knownSession(session))
    })
    stopped.signal.addEventListener('abort', () => data.subscription.unsubscribe())
  })
  stopped.signal.addEventListener('abort', stopWaiting)

  addEventListener(
    'storage',
    (event) => {
      if ((event.key === key || event.key === null) && reportStored()) startClient()
    },
    { signal: stopped.signal },
  )

  // A page in the back/forward cache hears nothing, and the client reports no sign-out that it has missed.
  addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted && reportStored()) startClient()
    },
    { signal: stopped.signal },
  )

  if (reportStored()) startClient()
  else if (hasLinkError(location)) location.replace(`/auth/confirmed${location.hash}`)
  return () => stopped.abort()
}

/** A used or expired e-mail link redirects to its target page with the error in the fragment. */
function hasLinkError({ hash, pathname }: Location): boolean {
  return hash.includes('error_code=otp_') && !pathname.startsWith('/auth/')
}

function startClient() {
  loadBackend().catch((error: unknown) => console.error('the backend client did not load', error))
}
