import { loadBackend, onBackendLoaded } from './backend.ts'
import { knownSession, readStored, storageKeyFor, type KnownSession } from './stored-session.ts'
import { localStore } from '#app/ui/browser-store.ts'

/**
 * Says at once whom the browser has kept, then whatever the client says. Without a kept session the client is not
 * fetched; a sign-in here or in another tab brings it.
 */
export function followSession(say: (session: KnownSession | null) => void): () => void {
  const key = storageKeyFor(location.hostname)
  const stopped = new AbortController()
  let said: string | undefined

  function sayIfNew(session: KnownSession | null) {
    const saying = JSON.stringify(session)
    if (saying === said || stopped.signal.aborted) return
    said = saying
    say(session)
  }

  function sayStored(): KnownSession | null {
    const session = readStored(localStore().getItem(key))
    sayIfNew(session)
    return session
  }

  const stopWaiting = onBackendLoaded((client) => {
    const { data } = client.auth.onAuthStateChange((event, session) => {
      // Offline, a session that could not be refreshed arrives as none; what is kept says whether there is one.
      if (event === 'INITIAL_SESSION' && !session) sayStored()
      else sayIfNew(knownSession(session))
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

  if (sayStored()) startClient()
  else if (bringsRefusal(location)) location.replace(`/auth/confirmed${location.hash}`)
  return () => stopped.abort()
}

/** A mailed link that is spent or too old leads to the page it was for, with what went wrong behind `#`. */
function bringsRefusal({ hash, pathname }: Location): boolean {
  return hash.includes('error_code=otp_') && !pathname.startsWith('/auth/')
}

function startClient() {
  loadBackend().catch((error: unknown) => console.error('the backend client did not load', error))
}
