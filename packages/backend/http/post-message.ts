const TIMEOUT_MS = 10_000

/** Posts JSON to a webhook. Throws on a timeout or a status other than 2xx. */
export async function postMessage(url: string, message: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`the webhook returned ${response.status}`)
}
