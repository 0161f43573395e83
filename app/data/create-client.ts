import { AuthClient, type Session } from '@supabase/auth-js'
import { FunctionsClient } from '@supabase/functions-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { BrowserClient, ShopDatabase } from '#database'
import { currentSession } from './current-session.ts'
import { sessionRenewal } from './session-renewal.ts'
import { storageKeyFor } from './stored-session.ts'

/** Longer than the shop takes for any call: on a dead connection nothing stays busy for ever. */
const TIMEOUT_MS = 60_000

const fetchInTime: typeof fetch = async (input, init) => {
  const signal = init?.signal ?? AbortSignal.timeout(TIMEOUT_MS)
  try {
    return await fetch(input, { ...init, signal })
  } catch (error) {
    // The client would repeat a read three times after any other error.
    throw signal.aborted ? new DOMException('no answer in time', 'AbortError') : error
  }
}

/** The client ends the session after any refusal of its refresh, but repeats a refresh that got no answer. */
const fetchForAuth: typeof fetch = async (input, init) => {
  const response = await fetchInTime(input, init)
  const isRefresh = typeof input === 'string' && input.endsWith('grant_type=refresh_token')
  if (isRefresh && response.status === 429) throw new Error('a rate limit refused the refresh of the session')
  return response
}

/**
 * Returns a client made of the parts of supabase-js that customers use. The whole client adds 21 kB for realtime and storage, which
 * only staff need (`staff-backend.ts`, decision 0041).
 */
export function createClient(
  { origin, hostname }: Pick<Location, 'origin' | 'hostname'>,
  publishableKey: string,
): BrowserClient {
  const auth = new AuthClient({
    url: `${origin}/auth/v1`,
    headers: { apikey: publishableKey },
    fetch: fetchForAuth,
    storageKey: storageKeyFor(hostname),
    flowType: 'pkce',
    // A link may come from an attacker: only /auth/link accepts a session from a URL, after a confirmation.
    detectSessionInUrl: false,
    experimental: { recoveryCodes: true },
  })
  const renew = sessionRenewal(auth)
  const fetchWithRenewal: typeof fetch = async (input, init) => {
    const sendAs = (session: Session | null) => {
      const headers = new Headers(init?.headers)
      headers.set('apikey', publishableKey)
      if (session) headers.set('authorization', `Bearer ${session.access_token}`)
      return fetchInTime(input, { ...init, headers })
    }
    const session = await currentSession(auth)
    const response = await sendAs(session)
    if (!session || response.status !== 401) return response
    const renewed = await renew(session)
    // Another user may have signed in meanwhile.
    return renewed?.user.id === session.user.id ? sendAs(renewed) : response
  }
  const rest = new PostgrestClient<ShopDatabase>(`${origin}/rest/v1`, { fetch: fetchWithRenewal })
  const functions = new FunctionsClient(`${origin}/functions/v1`, { customFetch: fetchWithRenewal })
  return { auth, functions, from: rest.from.bind(rest), rpc: rest.rpc.bind(rest) }
}
