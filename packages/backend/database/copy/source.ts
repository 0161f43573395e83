import type { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { selectRow } from '../select-rows.ts'
import { UPGRADE_LOCK } from '../upgrade/connection.ts'
import { type CopiedTable, readTables } from './tables.ts'

const LOCK_TIMEOUT_S = 5

const identityRow = z.object({ id: z.string() })
const usersRow = z.object({ users: z.number() })

/** Identifies a database among all servers, so that a copy can be continued. */
export async function identify(client: Client): Promise<string> {
  const { id } = await selectRow(client, identityRow, [
    `select system_identifier || '/' || current_database() as id from pg_control_system()`,
  ])
  return id
}

/**
 * Begins a transaction in which all tables can be read and none written, by this shop or by another program. Its connection
 * releases the locks when it ends, also in a killed process. Returns the tables.
 */
export async function lockSource(client: Client): Promise<CopiedTable[]> {
  const tables = await readTables(client)
  await requireNoShop(client)
  await client.query(`begin isolation level repeatable read; set local lock_timeout = '${LOCK_TIMEOUT_S}s'`)
  try {
    // A shop that starts meanwhile waits for the upgrade's lock, and gives up.
    await client.query(`select pg_advisory_xact_lock($1)`, [UPGRADE_LOCK])
    await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in share mode`)
  } catch (error) {
    throw new DatabaseProblem('the source is in use by another program: stop it first', { cause: error })
  }
  // The transaction's snapshot begins here, under the locks.
  return readTables(client)
}

async function requireNoShop(client: Client): Promise<void> {
  const { users } = await selectRow(client, usersRow, [
    `select count(*)::int as users from pg_stat_activity
     where datname = current_database() and application_name in ('shop', 'shop api')`,
  ])
  if (users > 0)
    throw new DatabaseProblem('a shop runs on the source: stop it first, it must not sell meanwhile')
}
