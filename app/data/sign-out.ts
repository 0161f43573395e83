import { loadBackend } from './backend.ts'
import { storageKeyFor } from './stored-session.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** Somebody who signs out may be about to leave a computer that others use. */
const WITHIN_MS = 5_000

/**
 * Ends this browser's session in every tab. Without an answer of the server within five seconds, it only deletes the stored token, which
 * then expires on the server. Never rejects.
 */
export async function signOut(): Promise<void> {
  try {
    const client = await loadBackend()
    const { error } = await Promise.race([client.auth.signOut({ scope: 'local' }), failLater()])
    if (!error) return
    console.error('the sign-out did not reach the server', error)
  } catch (error) {
    console.error('the sign-out did not reach the server', error)
  }
  const key = storageKeyFor(location.hostname)
  localStore().removeItem(key)
  // The browser sends storage events to other tabs only.
  dispatchEvent(new StorageEvent('storage', { key }))
}

async function failLater(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, WITHIN_MS))
  throw new Error(`no answer within ${WITHIN_MS} ms`)
}
