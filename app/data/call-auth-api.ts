import { backendHeaders, loadBackend } from './backend.ts'

/** Calls endpoints of the auth service that the official client lacks. Throws unless the response is 2xx. */
export async function callAuthApi<Result>(method: 'GET' | 'POST' | 'DELETE', path: string): Promise<Result> {
  const client = await loadBackend()
  const { data } = await client.auth.getSession()
  const response = await fetch(`/auth/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${data.session?.access_token ?? ''}`, ...backendHeaders() },
  })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
  // Callers pass `void` for endpoints that return 204.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (response.status === 204 ? undefined : await response.json()) as Result
}
