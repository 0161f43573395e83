import { loadBackend } from '#app/data/backend.ts'

/** Calls a server function. Throws with the function's own message, which the client leaves unread in the response. */
export async function callFunction<Result>(name: string, body: object = {}): Promise<Result> {
  const backend = await loadBackend()
  const { data, error } = await backend.functions.invoke<Result>(name, { body })
  if (error) throw new Error(await messageOf(error), { cause: error })
  if (data === null) throw new Error('We couldn’t reach the shop.')
  return data
}

async function messageOf(failure: { message: string; context?: unknown }): Promise<string> {
  if (!(failure.context instanceof Response)) return failure.message
  const body: unknown = await failure.context.json().catch(() => null)
  const hasMessage = typeof body === 'object' && body !== null && 'message' in body
  return hasMessage ? String(body.message) : failure.message
}
