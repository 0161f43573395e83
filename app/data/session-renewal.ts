import type { Session } from '@supabase/auth-js'
import type { BrowserClient } from '#database'

type AuthClient = BrowserClient['auth']

/** The sign-in service's error codes for a session that has ended on the server. */
const ENDED = new Set<unknown>([
  'refresh_token_already_used',
  'refresh_token_not_found',
  'session_expired',
  'user_banned',
])

/**
 * Returns a function that takes a session whose token the server refused and returns the session to use instead, or null. It ends the
 * session in this browser if the server has ended it: the pages would otherwise show a signed-in user, and fail, until the token
 * expires. Parallel calls share one refresh.
 */
export function sessionRenewal(auth: AuthClient): (refused: Session) => Promise<Session | null> {
  let running: Promise<Session | null> | null = null
  return (refused) => {
    running ??= renew(auth, refused).finally(() => {
      running = null
    })
    return running
  }
}

async function renew(auth: AuthClient, refused: Session): Promise<Session | null> {
  const current = async () => (await auth.getSession()).data.session
  const isRefused = (session: Session | null) => session?.access_token === refused.access_token

  if (isRefused(await current())) {
    const { error } = await auth.refreshSession()
    // Another tab may have stored a new session meanwhile.
    if (ENDED.has(error?.code) && isRefused(await current())) await auth.signOut({ scope: 'local' })
  }
  const session = await current()
  return isRefused(session) ? null : session
}
