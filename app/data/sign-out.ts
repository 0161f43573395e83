import { loadBackend } from './backend.ts'
import { storageKeyFor } from './stored-session.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** Ends this browser's session in every tab. Offline, it only deletes the stored token, which then expires on the server. */
export async function signOut(): Promise<void> {
  try {
    const client = await loadBackend()
    const { error } = await client.auth.signOut({ scope: 'local' })
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
