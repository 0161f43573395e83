import { loadBackend } from '#app/session/backend.ts'

/** Calls a server function; a refusal is thrown with the function's own sentence, which the client hands on unread. */
export async function callFunction<Answer>(name: string, body: object = {}): Promise<Answer> {
  const backend = await loadBackend()
  const { data, error } = await backend.functions.invoke<Answer>(name, { body })
  if (error) throw new Error(await sentenceOf(error), { cause: error })
  if (data === null) throw new Error('The shop did not answer.')
  return data
}

async function sentenceOf(failure: { message: string; context?: unknown }): Promise<string> {
  if (!(failure.context instanceof Response)) return failure.message
  const answer: unknown = await failure.context.json().catch(() => null)
  const isSentence = typeof answer === 'object' && answer !== null && 'message' in answer
  return isSentence ? String(answer.message) : failure.message
}
