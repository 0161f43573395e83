export type NoticeConfirmation =
  | { answer: 'valid' }
  | { answer: 'invalid' }
  /** Any other response, such as an outage, a firewall's page or a timeout; proves nothing about the money. */
  | { answer: 'unknown'; detail: string }

const TIMEOUT_MS = 15_000
const MAX_DETAIL_LENGTH = 120

/** Asks PayFast whether it sent these parameters. */
export async function confirmWithPayfast(
  validateUrl: string,
  parameters: string,
): Promise<NoticeConfirmation> {
  try {
    const response = await fetch(validateUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Saltfreak/1.0' },
      body: parameters,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return parseConfirmation(response.status, await response.text())
  } catch (error) {
    // A network error: the notice waits, and the job asks PayFast again.
    return { answer: 'unknown', detail: reasonOf(error) }
  }
}

function parseConfirmation(status: number, body: string): NoticeConfirmation {
  const word = body.trim().split(/\r?\n/, 1)[0]?.trim()
  if (status === 200 && word === 'VALID') return { answer: 'valid' }
  if (status === 200 && word === 'INVALID') return { answer: 'invalid' }
  return { answer: 'unknown', detail: `HTTP ${status}: ${body.slice(0, MAX_DETAIL_LENGTH)}` }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
