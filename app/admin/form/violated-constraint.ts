import { isBackendError } from '#app/data/backend-error.ts'

/** Returns the name of the constraint that made a save fail; `null` for any other error. */
export function violatedConstraint(error: Error | null): string | null {
  if (!isBackendError(error?.cause)) return null
  return /constraint "(\w+)"/.exec(error.cause.message)?.[1] ?? null
}
