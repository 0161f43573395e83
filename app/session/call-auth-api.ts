import { backendHeaders, loadBackend } from './backend.ts'

/** Calls of the accounts service that the official client does not know. */
export async function callAuthApi<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string): Promise<Answer> {
  const client = await loadBackend()
  const { data } = await client.auth.getSession()
  const answer = await fetch(`/auth/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${data.session?.access_token ?? ''}`, ...backendHeaders() },
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  // Whoever asks for what has no content says so with `void`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (answer.status === 204 ? undefined : await answer.json()) as Answer
}
