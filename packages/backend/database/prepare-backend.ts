import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withConnection } from './upgrade/connection.ts'
import { readRelease } from './upgrade/release.ts'
import type { Source } from './upgrade/source.ts'
import { upgradeDatabase } from './upgrade/upgrade.ts'

const ROLES = folder('roles')

const ATTEMPTS = 20
const CHANGED_AT_ONCE = /tuple concurrently (updated|deleted)|duplicate key value/

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
  await changeRoles(url, files.join('\n'))
}

/**
 * Runs `sql`, which must be repeatable, in one transaction, and again when PostgreSQL has failed it because another process changed the
 * same role. An advisory lock would not reach the server's other databases.
 */
export async function changeRoles(url: string, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // PostgreSQL runs the statements of one query message in one transaction.
      await withConnection(url, (client) => client.query(sql))
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !CHANGED_AT_ONCE.test(String(error))) throw error
      await pause(Math.random() * attempt * 20)
    }
  }
}

function folder(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
