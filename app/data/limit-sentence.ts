import { backendError } from './backend-error.ts'

/** Of the data service. */
const CODES = ['PT429', 'insufficient_storage']
/** Of uploads. */
const STATUSES = [429, 507]

/** Returns what the shop says to a reader whom it refuses at a limit or because its disk is full; `null` for any other error. */
export function limitSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const isRefused =
    CODES.includes(backendError(error)?.code ?? '') ||
    ('status' in error && STATUSES.includes(Number(error.status)))
  return isRefused ? error.message || null : limitSentence(error.cause)
}
