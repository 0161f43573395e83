import type { BrowserClient } from '#database'
import { currentSession } from './current-session.ts'

let publishableKey = ''
let loading: Promise<BrowserClient> | null = null
const listeners = new Set<(client: BrowserClient) => void>()

/** Sets the API key of the browser's client. Must run before the first call of `loadBackend`. */
export function setPublishableKey(key: string): void {
  publishableKey = key
}

/** Headers for requests of visitors that bypass the client. */
export function backendHeaders() {
  return { apikey: publishableKey }
}

/**
 * Returns the current user's token, refreshed when it has expired; `null` for visitors, and once the server has ended the session. Throws
 * if the refresh got no answer.
 */
export async function accessToken(): Promise<string | null> {
  const session = await currentSession((await loadBackend()).auth)
  return session?.access_token ?? null
}

/** Headers for one request of the current user that bypasses the client, which may refresh the token before the next. */
export async function signedInHeaders(): Promise<Record<string, string>> {
  const token = await accessToken()
  return { ...backendHeaders(), ...(token && { authorization: `Bearer ${token}` }) }
}

/**
 * Sends a request of the current user that the client has no method for. After a refusal it reads the user: the client then ends the
 * session in this browser if the server has ended it.
 */
export async function fetchAsUser(
  url: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const ownHeaders = await signedInHeaders()
  const response = await fetch(url, { ...init, headers: { ...headers, ...ownHeaders } })
  const mayHaveEnded = ownHeaders['authorization'] && [400, 401, 403].includes(response.status)
  if (mayHaveEnded) await (await loadBackend()).auth.getUser()
  return response
}

/**
 * Loads the backend client on first use, so that visitors who only browse never download it.
 * After a failed download, the next call tries again.
 */
export function loadBackend(): Promise<BrowserClient> {
  loading ??= import('./create-client.ts').then(
    ({ createClient }) => {
      const client = createClient(location, publishableKey)
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
export function onBackendLoaded(listener: (client: BrowserClient) => void): () => void {
  listeners.add(listener)
  void loading?.then((client) => listeners.has(listener) && listener(client))
  return () => void listeners.delete(listener)
}
