import { localStore, writeStoredJson } from '#app/ui/browser-store.ts'
import { loadBackend } from './backend.ts'
import { pause } from './pause.ts'
import { storageKeyFor } from './stored-session.ts'

/** The next person at a shared computer must not find the session. */
const TIMEOUT_MS = 5_000

/** The key of the storage event that announces a sign-out to every tab. Nothing stays stored under it. */
export const SIGN_OUT_EVENT = 'signing-out'

/** Call before a customer's own sign-out: a session that the server has ended looks the same to the pages afterwards. */
export function announceSignOut(): void {
  writeStoredJson(localStore(), SIGN_OUT_EVENT, true)
  localStore().removeItem(SIGN_OUT_EVENT)
  dispatchStorageEvent(SIGN_OUT_EVENT)
}

/** Ends this browser's session in every tab without asking the server, which has ended it already. */
export function forgetSession(): void {
  announceSignOut()
  deleteSession()
}

/** The browser sends storage events to other tabs only. */
function dispatchStorageEvent(key: string): void {
  dispatchEvent(new StorageEvent('storage', { key }))
}

/**
 * Ends this browser's session in every tab. Offline, or without an answer within five seconds, it only deletes the stored token, which
 * then expires on the server. Never rejects. Without an answer it opens the home page, or loads the page again that was opened meanwhile, and
 * stays pending.
 */
export async function signOut(): Promise<void> {
  announceSignOut()
  const { pathname } = location
  const outcome = await Promise.race([endSession(), pause(TIMEOUT_MS).then(() => 'late' as const)])
  if (outcome === 'ended') return
  deleteSession()
  if (outcome === 'failed') return
  // Ends the call that is still running: its late answer would end the next person's session.
  if (location.pathname === pathname) location.replace('/')
  else location.reload()
  // The caller must not open another page instead.
  await new Promise(() => {})
}

function deleteSession(): void {
  const key = storageKeyFor(location.hostname)
  localStore().removeItem(key)
  dispatchStorageEvent(key)
}

async function endSession(): Promise<'ended' | 'failed'> {
  try {
    const client = await loadBackend()
    const { error } = await client.auth.signOut({ scope: 'local' })
    if (!error) return 'ended'
    console.error('the sign-out did not reach the server', error)
  } catch (error) {
    console.error('the sign-out did not reach the server', error)
  }
  return 'failed'
}
