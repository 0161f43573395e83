import { type ClientBase, DatabaseError } from 'pg'
import { DatabaseProblem } from '../database-problem.ts'
import { describeBlockers, type LockWatch } from './blockers.ts'
import { lineAt } from './parse.ts'
import type { SqlFile } from './source.ts'

/** The upgrade's transaction. */
export interface Run {
  client: ClientBase
  isSuperuser: boolean
  /** The current role; null for the user of the connection. */
  role: string | null
  locks: LockWatch
}

export interface UpgradeStep {
  file: SqlFile
  line: number
  /** Suggested to the author when PostgreSQL cannot replace the object. */
  undo?: string
}

/** PostgreSQL's messages for changes that `create or replace` cannot make: result type, parameter names, fewer view columns. */
const NOT_REPLACEABLE = /^cannot (change|remove|drop columns)|is a constraint trigger$/

/** SQLSTATEs for an object that does not exist. */
const MISSING_OBJECT = new Set(['42883', '42P01', '42704', '42703', '3F000'])
const STILL_USED = '2BP01'
const LOCK_NOT_AVAILABLE = '55P03'

/** Runs SQL of a file; throws a DatabaseProblem with file and line. */
export async function runStep(run: Run, sql: string, step: UpgradeStep): Promise<void> {
  try {
    await run.client.query(sql)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw stepProblem(run, { error, sql, step })
  }
}

/** Runs a statement in a savepoint. Returns the error when an object that it needs is missing; throws all others. */
export async function tryStep(run: Run, sql: string, step: UpgradeStep): Promise<DatabaseProblem | null> {
  const error = await attempt(run, sql)
  if (!error) return null
  const problem = stepProblem(run, { error, sql, step })
  if (MISSING_OBJECT.has(error.code ?? '')) return problem
  throw problem
}

/** Removes an object if it exists, in a savepoint. Returns the error when another object uses it; throws all others. */
export async function tryRemoval(run: Run, undo: string): Promise<DatabaseError | null> {
  const error = await attempt(run, undo)
  if (!error || MISSING_OBJECT.has(error.code ?? '')) return null
  if (error.code === STILL_USED) return error
  throw new DatabaseProblem(`${undo}: ${reason(run, error)}`, { cause: error })
}

/** Sets the role of the following statements; null is the user of the connection. */
export async function setRole(run: Run, role: string | null): Promise<void> {
  const { client, isSuperuser } = run
  if (!isSuperuser || run.role === role) return
  await client.query(`set local role ${role === null ? 'none' : client.escapeIdentifier(role)}`)
  run.role = role
}

async function attempt({ client }: Run, sql: string): Promise<DatabaseError | null> {
  try {
    // One round trip. The statement starts on the first line, so that error positions fit, and may end with a line comment.
    await client.query(`savepoint attempt; ${sql}\n; release savepoint attempt`)
    return null
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    await client.query('rollback to savepoint attempt')
    return error
  }
}

function stepProblem(
  run: Run,
  failed: { error: DatabaseError; sql: string; step: UpgradeStep },
): DatabaseProblem {
  const { error, sql, step } = failed
  const offset = error.position ? lineAt(sql, Number(error.position)) - 1 : 0
  const advice =
    step.undo && NOT_REPLACEABLE.test(error.message)
      ? `; to change it, add "${step.undo.replaceAll('"', '')}" to a new versioned file`
      : ''
  const place = `${step.file.path}, line ${step.line + offset}`
  return new DatabaseProblem(`${place}: ${reason(run, error)}${advice}`, { cause: error })
}

function reason({ locks }: Run, error: DatabaseError): string {
  const message = error.message.replaceAll(/\s*\n\s*/g, ' ')
  return error.code === LOCK_NOT_AVAILABLE ? `${message} (${describeBlockers(locks)})` : message
}
