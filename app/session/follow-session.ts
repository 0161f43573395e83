import { loadBackend, onBackendLoaded } from './backend.ts'
import { sessionUser, storageKeyFor, userOfStored, type SessionUser } from './stored-session.ts'

/**
 * Says at once whom the browser has kept, then whatever the client says. Without a kept session the client is not
 * fetched; a sign-in here or in another tab brings it.
 */
export function followSession(say: (user: SessionUser | null) => void): () => void {
  const key = storageKeyFor(location.hostname)
  const stopped = new AbortController()
  let said: string | undefined

  function sayIfNew(user: SessionUser | null) {
    const saying = JSON.stringify(user)
    if (saying === said || stopped.signal.aborted) return
    said = saying
    say(user)
  }

  function sayStored(): SessionUser | null {
    const user = userOfStored(localStorage.getItem(key))
    sayIfNew(user)
    return user
  }

  const stopWaiting = onBackendLoaded((client) => {
    const { data } = client.auth.onAuthStateChange((event, session) => {
      // Offline, a session that could not be refreshed arrives as none; what is kept says whether there is one.
      if (event === 'INITIAL_SESSION' && !session) sayStored()
      else sayIfNew(sessionUser(session?.user))
    })
    stopped.signal.addEventListener('abort', () => data.subscription.unsubscribe())
  })
  stopped.signal.addEventListener('abort', stopWaiting)

  addEventListener(
    'storage',
    (event) => {
      if ((event.key === key || event.key === null) && sayStored()) startClient()
    },
    { signal: stopped.signal },
  )

  if (sayStored() || bringsSession(location)) startClient()
  return () => stopped.abort()
}

/** A confirmation link carries its session in the address; the client takes it from there. */
function bringsSession({ hash, search }: Location): boolean {
  return /[#&?](?:access_token|code)=/.test(hash + search)
}

function startClient() {
  loadBackend().catch((error: unknown) => console.error('the backend client did not load', error))
}
