import type { ShopClient, ShopDatabase } from '#database'

let publishableKey = ''
let loading: Promise<ShopClient> | null = null
const awaiting = new Set<(client: ShopClient) => void>()

/** Tells the browser's client which key it speaks with; the root loader's, before anything is loaded. */
export function setPublishableKey(key: string): void {
  publishableKey = key
}

/** The key for the few public questions that are asked without the client. */
export function backendHeaders(): Record<string, string> {
  return { apikey: publishableKey }
}

/**
 * The backend's client, fetched when somebody first needs it: a visitor who only looks never pays for it.
 * A download that failed is tried again at the next call.
 */
export function loadBackend(): Promise<ShopClient> {
  loading ??= import('@supabase/supabase-js').then(
    ({ createClient }) => {
      const client = createClient<ShopDatabase>(location.origin, publishableKey, {
        auth: {
          flowType: 'pkce',
          // An address may come from anybody: only /auth/link takes a session from a link, and asks first.
          detectSessionInUrl: false,
          experimental: { recoveryCodes: true },
        },
      })
      for (const tell of awaiting) tell(client)
      return client
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** Calls back with the client, now or when somebody else's need has fetched it. Returns how to stop waiting. */
export function onBackendLoaded(tell: (client: ShopClient) => void): () => void {
  awaiting.add(tell)
  void loading?.then((client) => awaiting.has(tell) && tell(client))
  return () => void awaiting.delete(tell)
}
