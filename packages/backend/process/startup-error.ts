import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { ListenError } from './listen.ts'

/** The message contains one line per invalid setting. */
export class InvalidSettings extends Error {}

const OPERATOR_ERRORS = [InvalidSettings, DatabaseProblem, ListenError]

/** Returns the message of an error that the operator can fix, and the stack trace of any other error. */
function describeError(error: unknown): string {
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind) && error instanceof Error) return error.message
  if (error instanceof Error) return error.stack ?? error.message
  return String(error)
}

export function exitWithError(error: unknown): never {
  console.error(describeError(error))
  process.exit(1)
}
