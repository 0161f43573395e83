import { loadBackend } from './backend.ts'

/** Refreshes the access token and the user that the browser stores; a failure is only logged. */
export async function refreshToken(): Promise<void> {
  const { error } = await (await loadBackend()).auth.refreshSession()
  if (error) console.error('the session was not refreshed', error)
}
