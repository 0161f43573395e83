import { Client, type ClientBase, DatabaseError } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { selectRow } from '../select-rows.ts'
import { serverAddress } from '../servers/addresses.ts'
import { type LockWatch, watchLocks } from './blockers.ts'
import type { Run } from './run.ts'

/** Key of the advisory lock that an upgrade holds; arbitrary, but equal in every process. */
export const UPGRADE_LOCK = 7_258_373

/** How long a start waits for a concurrent upgrade of the same database. */
const UPGRADE_LOCK_TIMEOUT_S = 60

/** How long a statement of the upgrade waits for a table lock. */
const LOCK_TIMEOUT_S = 5

/** Runs `work` in one transaction under the upgrade lock, so that concurrent starts take turns. */
export async function inUpgradeTransaction<T>(url: string, work: (run: Run) => Promise<T>): Promise<T> {
  return withConnection(url, async (client) => {
    let locks: LockWatch | undefined
    await client.query('begin')
    try {
      const { isSuperuser, pid } = await acquireUpgradeLock(client)
      locks = watchLocks(url, pid)
      const result = await work({ client, isSuperuser, role: null, locks })
      await client.query('commit')
      return result
    } catch (error) {
      // Rolling back fails when the connection is lost, which has ended the transaction anyway.
      await client.query('rollback').catch(() => undefined)
      throw error
    } finally {
      await locks?.stop()
    }
  })
}

const sessionRow = z.object({ isSuperuser: z.boolean(), pid: z.number() })

/** Also sets the transaction's settings, which must not depend on those of the user or the database. */
async function acquireUpgradeLock(client: ClientBase): Promise<z.infer<typeof sessionRow>> {
  await client.query(`set local lock_timeout = '${UPGRADE_LOCK_TIMEOUT_S}s'; set local statement_timeout = 0`)
  await client.query('select pg_advisory_xact_lock($1)', [UPGRADE_LOCK])
  await client.query(`
    set local lock_timeout = '${LOCK_TIMEOUT_S}s';
    set local idle_in_transaction_session_timeout = 0;
    set local check_function_bodies = off;
    set local client_min_messages = warning;
    set local search_path = public, extensions`)
  return selectRow(client, sessionRow, [
    `select rolsuper as "isSuperuser", pg_backend_pid() as pid from pg_roles where rolname = current_user`,
  ])
}

/** Runs `work` on a new connection; throws a DatabaseProblem for PostgreSQL's errors. */
export async function withConnection<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    ...serverAddress(url),
    connectionTimeoutMillis: 10_000,
    application_name: 'upgrade',
  })
  // Prevents an uncaught `error` event; a broken connection rejects the pending query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new DatabaseProblem(`the database cannot be prepared: ${error.message}`, { cause: error })
  } finally {
    await client.end()
  }
}
