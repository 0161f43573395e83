import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { CannotListen } from './listen.ts'

/** What is wrong with the settings: one line for each. */
export class WrongSettings extends Error {}

const OPERATORS = [WrongSettings, DatabaseProblem, CannotListen]

/** What the operator can put right is said in a line; anything else is our mistake, and the stack says where. */
export function explain(error: unknown): string {
  if (OPERATORS.some((kind) => error instanceof kind) && error instanceof Error) return error.message
  if (error instanceof Error) return error.stack ?? error.message
  return String(error)
}

export function refuse(error: unknown): never {
  console.error(explain(error))
  process.exit(1)
}
