import { backendHeaders } from './backend.ts'

/** Rows that everybody may read, without fetching the backend's client. Throws when there is no answer. */
export async function fetchPublicRows<Row>(query: string): Promise<Row[]> {
  const answer = await fetch(`/rest/v1/${query}`, { headers: backendHeaders() })
  if (!answer.ok) throw new Error(`the shop answered ${answer.status}`)
  return answer.json()
}
