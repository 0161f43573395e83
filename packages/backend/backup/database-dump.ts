import type { ClientBase } from 'pg'
import { z } from 'zod'
import { withAuthorities } from '#backend/database/client-authorities.ts'
import { clientCommand, findClientProgram } from '#backend/database/client-programs.ts'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { isEmptyDatabase } from '#backend/database/is-empty.ts'
import { prepareRoles } from '#backend/database/prepare-backend.ts'
import { selectRow } from '#backend/database/select-rows.ts'
import { nameOfDatabase, urlsOf } from '#backend/database/servers/addresses.ts'
import { findPrimary } from '#backend/database/servers/find-primary.ts'
import { withConnection } from '#backend/database/upgrade/connection.ts'
import { readExternalChain } from './external-chain.ts'
import { type DatabasePart, FORMATS, type Manifest } from './manifest.ts'
import type { StoredFileOptions } from './stored-files.ts'
import { sendInput, storeOutput } from './stream-program.ts'

interface DumpOptions extends Pick<StoredFileOptions, 'folder' | 'encryption' | 'signal'> {
  /** Folders that may contain `pg_dump`; by default those where systems install it. */
  programs?: string[] | undefined
}

interface Dump {
  part: DatabasePart
  /** `name=value` each. `pg_dump` leaves out the settings of the database itself, such as its search path. */
  databaseSettings: string[]
}

const server = z.object({ major: z.number(), moment: z.date(), settings: z.array(z.string()) })

/** Dumps a database of another server with the `pg_dump` of its version; without one, only says which version is missing. */
export async function dumpDatabase(
  database: { dataDir: string; databaseUrl: string },
  { programs, ...place }: DumpOptions,
): Promise<Dump> {
  const url = await findPrimary(urlsOf(database.databaseUrl))
  const { chain, major, moment, settings } = await withConnection(url, async (client) => ({
    chain: await readExternalChain(client, database),
    ...(await selectRow(client, server, [
      `select current_setting('server_version_num')::int / 10000 as major, clock_timestamp() as moment,
         coalesce((
           select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
           where d.datname = current_database() and s.setrole = 0), '{}') as settings`,
    ])),
  }))
  const part = {
    format: FORMATS.external,
    isExternal: true,
    chain,
    postgresMajor: major,
    backupLabel: '',
    wal: [],
    endedAt: moment.toISOString(),
  }
  const program = await findClientProgram('pg_dump', major, programs)
  if (!program) return { part: { ...part, database: null }, databaseSettings: [] }
  // Compression is that of all stored files, which is better than this format's own.
  const { stored, bytes, code, errors } = await withAuthorities(url, (address) =>
    storeOutput(clientCommand(program, ['--format=custom', '--compress=0'], address), 'database.dump', place),
  )
  if (code !== 0) throw new DatabaseProblem(`pg_dump fails: ${reasonIn(errors)}`)
  return { part: { ...part, database: stored, databaseBytes: bytes }, databaseSettings: settings }
}

/** Returns a line that says why a backup has no database; null when it has one. */
export function whyWithoutDatabase({ database, postgresMajor }: Manifest): string | null {
  if (database) return null
  return `pg_dump ${postgresMajor} is not installed, so the provider of the database must back it up`
}

export interface DumpTarget {
  url: string
  /** Path of the server's `pg_restore`. */
  program: string
}

const serverMajor = z.object({ major: z.number() })

/** Throws a DatabaseProblem unless the database at `url` is empty and a dump of `major` can be restored to it. */
export async function requireDumpTarget(
  databaseUrl: string,
  { postgresMajor }: Manifest,
): Promise<DumpTarget> {
  const url = await findPrimary(urlsOf(databaseUrl))
  const { major, isEmpty } = await withConnection(url, inspectTarget)
  if (!isEmpty) {
    throw new DatabaseProblem(
      `the database ${nameOfDatabase(url)} is not empty: let DATABASE_URL name an empty one to restore into`,
    )
  }
  if (major < postgresMajor) {
    throw new DatabaseProblem(
      `the backup is of PostgreSQL ${postgresMajor}, the server runs ${major}: restore it on a server of the same version`,
    )
  }
  const program = await findClientProgram('pg_restore', major)
  if (program) return { url, program }
  throw new DatabaseProblem(
    `pg_restore ${major} is not installed: install the client programs of PostgreSQL ${major} to restore the database`,
  )
}

async function inspectTarget(client: ClientBase): Promise<{ major: number; isEmpty: boolean }> {
  const { major } = await selectRow(client, serverMajor, [
    `select current_setting('server_version_num')::int / 10000 as major`,
  ])
  return { major, isEmpty: await isEmptyDatabase(client) }
}

/** Restores a dump completely or not at all. Creates the roles first, which belong to the whole server and stay. */
export async function restoreDump(
  { url, program }: DumpTarget,
  { content, databaseSettings }: { content: AsyncIterable<Uint8Array>; databaseSettings: string[] },
): Promise<void> {
  await prepareRoles(url)
  await withConnection(url, (client) => applySettings(client, databaseSettings))
  const { code, errors } = await withAuthorities(url, (address) =>
    sendInput(clientCommand(program, ['--single-transaction', '--exit-on-error'], address), content),
  )
  if (code !== 0) throw new DatabaseProblem(`pg_restore fails: ${reasonIn(errors)}`)
}

const quotedName = z.object({ name: z.string() })

/** `from current`, because a value such as a search path is a list that PostgreSQL would otherwise quote as one name. */
async function applySettings(client: ClientBase, settings: string[]): Promise<void> {
  const { name: database } = await selectRow(client, quotedName, [
    'select quote_ident(current_database()) as name',
  ])
  for (const setting of settings) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(setting) ?? []
    const quoted = name
      .split('.')
      .map((part) => client.escapeIdentifier(part))
      .join('.')
    // oxlint-disable no-await-in-loop -- one connection
    await client.query('select set_config($1, $2, false)', [name, value])
    await client.query(`alter database ${database} set ${quoted} from current`)
    // oxlint-enable no-await-in-loop
  }
}

function reasonIn(errors: string): string {
  return /error: (.*)/.exec(errors)?.[1] ?? errors
}
