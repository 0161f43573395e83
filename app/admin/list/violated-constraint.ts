import { isBackendError } from '#app/session/backend-error.ts'

/** The name of the constraint that a failed save would have broken; `null` when it failed otherwise. */
export function violatedConstraint(error: Error | null): string | null {
  if (!isBackendError(error?.cause)) return null
  return /constraint "(\w+)"/.exec(error.cause.message)?.[1] ?? null
}
