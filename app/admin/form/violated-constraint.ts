import { backendError } from '#app/data/backend-error.ts'

/** Returns the name of the constraint that made a save fail; `null` for any other error. */
export function violatedConstraint(error: Error | null): string | null {
  return /constraint "(\w+)"/.exec(backendError(error)?.message ?? '')?.[1] ?? null
}
