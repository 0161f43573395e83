import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { FileStoreProblem } from '#backend/storage/files/file-store-problem.ts'
import { TooFewFiles } from './connection-limit.ts'
import { InvalidSettings } from './invalid-settings.ts'
import { ListenError } from './listen.ts'

const OPERATOR_ERRORS = [InvalidSettings, DatabaseProblem, FileStoreProblem, ListenError, TooFewFiles]

/** Returns one line for an error that the operator can fix, and for any other one also where it was thrown. */
function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return error.message
  const place = /^ +(at .+)$/m.exec(error.stack ?? '')?.[1]
  return [error.message.replaceAll(/\s+/g, ' '), place && `(${place})`].filter(Boolean).join(' ')
}

export function exitWithError(error: unknown): never {
  console.error(describeError(error))
  process.exit(1)
}
