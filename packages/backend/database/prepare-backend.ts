import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withConnection } from './upgrade/connection.ts'
import { readRelease } from './upgrade/release.ts'
import type { Source } from './upgrade/source.ts'
import { upgradeDatabase } from './upgrade/upgrade.ts'

const ROLES = folder('roles')

/** The backend's own tables and functions. On a hosted server, most of them exist and belong to the host. */
export const backendSource: Source = {
  name: 'backend',
  migrations: folder('migrations'),
  schema: folder('schema'),
  records: 'backend_migrations',
  schemas: ['auth', 'storage', 'realtime', 'realtime_feed', 'rest'],
  // The application's role owns the feed, as it owns the published tables.
  roleOf: (subject) => (subject === 'realtime_feed' ? 'postgres' : null),
  // A file's subject is the first of these that its name starts with, so the longer names come first.
  managedByServer: ['auth', 'storage', 'realtime_feed', 'realtime', 'rest'],
  // realtime_feed.watch() creates them on the tables of the publication.
  isDynamicTrigger: (name) => /^realtime_feed_(insert|update|delete)$/.test(name),
}

/** Prepares a database for the backend without an application; the user of `url` must be allowed to create roles. */
export async function prepareBackend(url: string): Promise<void> {
  await prepareRoles(url)
  await upgradeDatabase(url, {
    sources: [backendSource],
    release: await readRelease(new URL('../package.json', import.meta.url)),
  })
}

/**
 * Creates missing roles and transfers the database to its owner, in a separate transaction: the server's databases share the
 * roles, and the files of a source run as some of them. Throws a DatabaseProblem when the user of `url` lacks a right.
 */
export async function prepareRoles(url: string): Promise<void> {
  const names = (await readdir(ROLES)).filter((name) => name.endsWith('.sql')).toSorted()
  const files = await Promise.all(names.map((name) => readFile(join(ROLES, name), 'utf8')))
  // PostgreSQL runs the statements of one query message in one transaction.
  await withConnection(url, (client) => client.query(files.join('\n')))
}

function folder(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
