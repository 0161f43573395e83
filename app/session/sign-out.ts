import { loadBackend } from './backend.ts'
import { storageKeyFor } from './stored-session.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** Ends the session of this browser, in every tab. Without a connection the token is forgotten here and lapses there. */
export async function signOut(): Promise<void> {
  try {
    const client = await loadBackend()
    const { error } = await client.auth.signOut({ scope: 'local' })
    if (!error) return
    console.error('the server did not hear the sign-out', error)
  } catch (error) {
    console.error('the server did not hear the sign-out', error)
  }
  const key = storageKeyFor(location.hostname)
  localStore().removeItem(key)
  // This tab is told as the other ones are.
  dispatchEvent(new StorageEvent('storage', { key }))
}
