import type { PoolClient } from 'pg'

import { runPipeline, type TextRow, type Statement } from '#backend/database/pipeline.ts'
import type { DatabasePools } from '#backend/database/pool.ts'
import { isConnectionLost } from '#backend/database/transaction.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'

import { writtenByRead } from './errors.ts'
import type { Operation } from './operations/operation.ts'

export interface TransactionOptions {
  caller: Caller
  settings: Record<string, string>
  /** Runs everything, then rolls back. */
  rollsBack: boolean
  /** Committed before the request's transaction, in the same message; its error also prevents the request. */
  preamble?: Statement | undefined
  /** Runs in the transaction after the role is set. */
  afterRole?: Statement | undefined
}

/**
 * Runs a request in one transaction: sets role and claims, then runs the statements. Takes one round trip, unless the result must be
 * checked before the commit.
 */
export async function runOperation(
  database: DatabasePools,
  operation: Operation,
  options: TransactionOptions,
): Promise<TextRow[][]> {
  const client = await database.api.connect()
  let broken: Error | undefined
  try {
    if (operation.check || options.rollsBack) return await runThenCheck(client, operation, options)
    return operation.notifiesAfterCommit
      ? await runThenNotify(client, operation, options)
      : await runInOneRoundTrip(client, operation, options)
  } catch (error) {
    if (isConnectionLost(error)) broken = error
    if (operation.isReadOnly && isReadOnlyTransaction(error)) throw writtenByRead(error)
    throw error
  } finally {
    client.release(broken)
  }
}

/** The operation's own transaction refuses to write; in every other one, the server itself is read-only. */
function isReadOnlyTransaction(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '25006'
}

async function runInOneRoundTrip(
  client: PoolClient,
  operation: Operation,
  options: TransactionOptions,
): Promise<TextRow[][]> {
  const opening = [...preamble(options), ...become(operation, options)]
  const rows = await runPipeline(client, [...opening, ...operation.statements], options.caller.role)
  return rows.slice(opening.length)
}

/**
 * PostgreSQL serialises commits that notify, including their disk writes. With this setting, triggers collect channel names in the session,
 * and a second transaction in the same message notifies them. So notifications are sent before the response, and even if this process
 * dies meanwhile.
 */
const NOTIFY_AFTER_COMMIT = { 'announce.later': 'on' }
const NOTIFY = {
  text: `select pg_notify(channel, ''), set_config('announce.channels', '', false)
    from (select distinct string_to_table(nullif(current_setting('announce.channels', true), ''), ',') as channel) as told`,
  values: [],
}

async function runThenNotify(
  client: PoolClient,
  operation: Operation,
  options: TransactionOptions,
): Promise<TextRow[][]> {
  const settings = { ...options.settings, ...NOTIFY_AFTER_COMMIT }
  const opening = [...preamble(options), ...become(operation, { ...options, settings })]
  const statements = [...opening, ...operation.statements, ...COMMIT_SO_FAR, NOTIFY]
  const rows = await runPipeline(client, statements, options.caller.role)
  return rows.slice(opening.length, opening.length + operation.statements.length)
}

async function runThenCheck(
  client: PoolClient,
  operation: Operation,
  options: TransactionOptions,
): Promise<TextRow[][]> {
  const { caller, rollsBack } = options
  let outcome = ROLLBACK
  try {
    const opening = [...preamble(options), BEGIN, ...become(operation, options)]
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
  return options.preamble ? [options.preamble, ...COMMIT_SO_FAR] : []
}

function become({ isReadOnly, settings }: Operation, options: TransactionOptions): Statement[] {
  const { caller, afterRole } = options
  const became = becomeCaller(caller, { isReadOnly, settings: { ...options.settings, ...settings } })
  return afterRole ? [became, afterRole] : [became]
}

const BEGIN = { text: 'begin', values: [] }
const COMMIT = { text: 'commit', values: [] }
const ROLLBACK = { text: 'rollback', values: [] }
/**
 * Commits a part of a pipeline. `begin` adopts what the message has done so far, and an error before it leaves no transaction open,
 * so a refused call needs no second message with a rollback.
 */
const COMMIT_SO_FAR = [BEGIN, COMMIT]
/** Makes deferred constraints fail in a transaction that is rolled back, as they would at commit. */
const CHECK_NOW = { text: 'set constraints all immediate', values: [] }
