export type Confirmation =
  | { answer: 'valid' }
  | { answer: 'invalid' }
  /** Anything but PayFast's two words: an outage, a firewall's page, silence. Says nothing about the money. */
  | { answer: 'unknown'; detail: string }

const TIMEOUT_MS = 15_000
const SHOWN_CHARACTERS = 120

/** Asks PayFast whether it sent these parameters. */
export async function askPayfast(validateUrl: string, parameters: string): Promise<Confirmation> {
  try {
    const response = await fetch(validateUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Saltfreak/1.0' },
      body: parameters,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return readAnswer(response.status, await response.text())
  } catch (error) {
    // The world outside is broken, not we: the notice waits and PayFast is asked again.
    return { answer: 'unknown', detail: reasonOf(error) }
  }
}

function readAnswer(status: number, body: string): Confirmation {
  const word = body.trim().split(/\r?\n/, 1)[0]?.trim()
  if (status === 200 && word === 'VALID') return { answer: 'valid' }
  if (status === 200 && word === 'INVALID') return { answer: 'invalid' }
  return { answer: 'unknown', detail: `HTTP ${status}: ${body.slice(0, SHOWN_CHARACTERS)}` }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
