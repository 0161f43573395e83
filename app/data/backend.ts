import type { ShopClient, ShopDatabase } from '#database'

let publishableKey = ''
let loading: Promise<ShopClient> | null = null
const listeners = new Set<(client: ShopClient) => void>()

/** Sets the API key of the browser's client. Must run before the first call of `loadBackend`. */
export function setPublishableKey(key: string): void {
  publishableKey = key
}

/** Headers for requests of visitors that bypass the client. */
export function backendHeaders(): Record<string, string> {
  return { apikey: publishableKey }
}

/** Headers for one request of the current user that bypasses the client, which may refresh the token before the next. */
export async function signedInHeaders(): Promise<Record<string, string>> {
  const client = await loadBackend()
  const { data } = await client.auth.getSession()
  const token = data.session?.access_token
  return { ...backendHeaders(), ...(token && { authorization: `Bearer ${token}` }) }
}

/**
 * Loads the backend client on first use, so that visitors who only browse never download it.
 * After a failed download, the next call tries again.
 */
export function loadBackend(): Promise<ShopClient> {
  loading ??= import('@supabase/supabase-js').then(
    ({ createClient }) => {
      const client = createClient<ShopDatabase>(location.origin, publishableKey, {
        auth: {
          flowType: 'pkce',
          // A link may come from an attacker: only /auth/link accepts a session from a URL, after a confirmation.
          detectSessionInUrl: false,
          experimental: { recoveryCodes: true },
        },
      })
      for (const listener of listeners) listener(client)
      return client
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** Calls the listener once the client is loaded, without loading it. Returns a function that unsubscribes. */
export function onBackendLoaded(listener: (client: ShopClient) => void): () => void {
  listeners.add(listener)
  void loading?.then((client) => listeners.has(listener) && listener(client))
  return () => void listeners.delete(listener)
}
