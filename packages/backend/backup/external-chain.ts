import { createHash } from 'node:crypto'
import { type ClientBase, DatabaseError } from 'pg'
import { asText, selectValue } from '#backend/database/select-rows.ts'
import { urlsOf } from '#backend/database/servers/addresses.ts'
import { findPrimary } from '#backend/database/servers/find-primary.ts'
import { withConnection } from '#backend/database/upgrade/connection.ts'
import { databaseAddresses } from './restored-copy.ts'
import { loadChain } from './wal-archive.ts'

interface ExternalDatabase {
  dataDir: string
  databaseUrl: string
}

/** Like `readExternalChain`, on a connection of its own. Throws a DatabaseProblem when the database does not answer. */
export async function fetchExternalChain(database: ExternalDatabase): Promise<string> {
  const url = await findPrimary(urlsOf(database.databaseUrl))
  return withConnection(url, (client) => readExternalChain(client, database))
}

/**
 * Returns the name of the history of an external database, which all machines share: with one of each machine, a drive would have to hold
 * as many dumps a day. It is not the address, at which another server or a database created anew may answer: its dumps would replace the
 * last good ones of the day.
 */
export async function readExternalChain(client: ClientBase, database: ExternalDatabase): Promise<string> {
  const cluster = await readCluster(client).catch(async (error: unknown) => {
    if (!(error instanceof DatabaseError)) throw error
    // Databases of two servers may have the same OID.
    const addresses = databaseAddresses(database.databaseUrl).toSorted().join()
    return `${await loadChain(database.dataDir)} ${addresses}`
  })
  const oid = await selectValue(client, asText, [
    'select oid::text from pg_database where datname = current_database()',
  ])
  return `external-${createHash('sha256').update(`${cluster} ${oid}`).digest('hex').slice(0, 32)}`
}

/**
 * Everybody may execute the functions, except on some managed servers. A file-level copy has the identifier of its original: only its
 * timeline is another, once it was restored to a moment.
 */
async function readCluster(client: ClientBase): Promise<string> {
  return selectValue(client, asText, [
    `select system_identifier || ' ' || timeline_id from pg_control_system(), pg_control_checkpoint()`,
  ])
}
