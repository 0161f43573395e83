import type { PoolClient } from 'pg'

import { runPipeline, type Row } from '#backend/database/pipeline.ts'
import type { Database } from '#backend/database/pool.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'

import type { Operation } from './operations/operation.ts'

export interface TransactionOptions {
  caller: Caller
  settings: Record<string, string>
  /** Runs everything and keeps nothing. */
  rollsBack: boolean
}

/**
 * One request, one transaction: the role and the claims, then the statements. In one round trip, unless the answer
 * must be looked at before it is known whether to commit.
 */
export async function runOperation(
  database: Database,
  operation: Operation,
  options: TransactionOptions,
): Promise<Row[][]> {
  const client = await database.api.connect()
  let broken: Error | undefined
  try {
    return operation.check || options.rollsBack
      ? await runThenDecide(client, operation, options)
      : await runAtOnce(client, operation, options)
  } catch (error) {
    if (isConnectionLost(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

async function runAtOnce(
  client: PoolClient,
  operation: Operation,
  options: TransactionOptions,
): Promise<Row[][]> {
  const [, ...rows] = await runPipeline(
    client,
    [become(operation, options), ...operation.statements],
    options.caller.role,
  )
  return rows
}

async function runThenDecide(
  client: PoolClient,
  operation: Operation,
  options: TransactionOptions,
): Promise<Row[][]> {
  const { caller, rollsBack } = options
  let outcome = ROLLBACK
  try {
    const statements = [BEGIN, become(operation, options), ...operation.statements]
    const [, , ...rows] = await runPipeline(
      client,
      rollsBack ? [...statements, CHECK_NOW] : statements,
      caller.role,
    )
    operation.check?.(rows)
    if (!rollsBack) outcome = COMMIT
    return rows
  } finally {
    await runPipeline(client, [outcome])
  }
}

function become({ isReadOnly, settings }: Operation, options: TransactionOptions) {
  return becomeCaller(options.caller, { isReadOnly, settings: { ...options.settings, ...settings } })
}

const BEGIN = { text: 'begin', values: [] }
const COMMIT = { text: 'commit', values: [] }
const ROLLBACK = { text: 'rollback', values: [] }
/** What would only fail at the commit is to fail in a rehearsal too. */
const CHECK_NOW = { text: 'set constraints all immediate', values: [] }

function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (!('severity' in error)) return !('status' in error)
  return error.severity === 'FATAL' || error.severity === 'PANIC'
}
