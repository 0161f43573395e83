import { backendHeaders } from './backend.ts'

/** Returns publicly readable rows without loading the backend client. Throws unless the response is 2xx. */
export async function fetchPublicRows<Row>(query: string): Promise<Row[]> {
  const response = await fetch(`/rest/v1/${query}`, { headers: backendHeaders() })
  if (!response.ok) throw new Error(`the shop returned ${response.status}`)
  return response.json()
}
