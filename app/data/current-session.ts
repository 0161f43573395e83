import type { Session } from '@supabase/auth-js'
import type { BrowserClient } from '#database'

/**
 * Returns the session, refreshed when its token has expired; `null` for visitors, and once the server has ended it. Throws if the
 * refresh got no answer: as a visitor, a customer would read empty tables, and a mailed link would replace the sign-up (decision 0024).
 */
export async function currentSession(auth: BrowserClient['auth']): Promise<Session | null> {
  const { data, error } = await auth.getSession()
  // Only a refusal has a code.
  if (error && !error.code) throw error
  return data.session
}
