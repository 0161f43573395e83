import type { PoolClient } from 'pg'

import { runPipeline, type Row, type Statement } from '#backend/database/pipeline.ts'
import type { Database } from '#backend/database/pool.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'

import type { Operation } from './operations/operation.ts'

export interface TransactionOptions {
  caller: Caller
  settings: Record<string, string>
  /** Runs everything and keeps nothing. */
  rollsBack: boolean
  /** Committed before the request begins, in the same message; what it raises ends both. */
  preamble?: Statement | undefined
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
    if (operation.check || options.rollsBack) return await runThenDecide(client, operation, options)
    return operation.announcesLater
      ? await runThenAnnounce(client, operation, options)
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
  const before = preamble(options)
  const statements = [...before, become(operation, options), ...operation.statements]
  // What stands before is a transaction that was begun; otherwise nothing is open after an error.
  const run = options.preamble ? runOrRollBack : runPipeline
  const rows = await run(client, statements, options.caller.role)
  return rows.slice(before.length + 1)
}

/**
 * Commits that notify take turns in PostgreSQL, disk included. Triggers that see this setting leave the names of their
 * channels in the session instead, and they are told in a transaction of their own, sent in the same message: whoever gets
 * the answer can rely on the news being out, and it goes out even if this process does not live to see it.
 */
const ANNOUNCES_LATER = { 'announce.later': 'on' }
const ANNOUNCE = {
  text: `select pg_notify(channel, ''), set_config('announce.channels', '', false)
    from (select distinct string_to_table(nullif(current_setting('announce.channels', true), ''), ',') as channel) as told`,
  values: [],
}

async function runThenAnnounce(
  client: PoolClient,
  operation: Operation,
  options: TransactionOptions,
): Promise<Row[][]> {
  const settings = { ...options.settings, ...ANNOUNCES_LATER }
  const opening = [...preamble(options), BEGIN, become(operation, { ...options, settings })]
  const statements = [...opening, ...operation.statements, COMMIT, ANNOUNCE]
  const rows = await runOrRollBack(client, statements, options.caller.role)
  return rows.slice(opening.length, opening.length + operation.statements.length)
}

/** For statements that begin a transaction themselves: an error would leave it open. */
async function runOrRollBack(client: PoolClient, statements: Statement[], variant: string): Promise<Row[][]> {
  try {
    return await runPipeline(client, statements, variant)
  } catch (error) {
    if (!isConnectionLost(error)) await runPipeline(client, [ROLLBACK])
    throw error
  }
}

async function runThenDecide(
  client: PoolClient,
  operation: Operation,
  options: TransactionOptions,
): Promise<Row[][]> {
  const { caller, rollsBack } = options
  let outcome = ROLLBACK
  try {
    const opening = [...preamble(options), BEGIN, become(operation, options)]
    const statements = [...opening, ...operation.statements]
    const all = await runPipeline(client, rollsBack ? [...statements, CHECK_NOW] : statements, caller.role)
    const rows = all.slice(opening.length)
    operation.check?.(rows)
    if (!rollsBack) outcome = COMMIT
    return rows
  } finally {
    await runPipeline(client, [outcome])
  }
}

function preamble(options: TransactionOptions): Statement[] {
  return options.preamble ? [BEGIN, options.preamble, COMMIT] : []
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
