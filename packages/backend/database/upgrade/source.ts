import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseProblem } from '../database-problem.ts'

/**
 * SQL files that are applied together. `migrations` contains versioned files (`NNNN_subject.sql`), which run once, in order, and
 * are never edited. `schema` contains repeatable files (`<subject>/<name>.sql`), which define the current code and are edited in
 * place.
 */
export interface Source {
  name: string
  migrations: string
  schema: string
  /** The table in schema `supabase_migrations` that records the versioned files. */
  records: string
  /** Schemas that belong to the files: adopting a database from before 1.0 removes all other code in them. */
  schemas: string[]
  /** Returns the role that runs a subject's files on a superuser's connection; null for the superuser. */
  roleOf(subject: string): string | null
  /** Subjects named after a schema that a hosted server may own: their files are skipped if the database user does not own it. */
  managedByServer: string[]
  /** Whether a trigger is created at run time. */
  isDynamicTrigger(name: string): boolean
}

export interface SqlFile {
  /** Argument of `roleOf`; may occur in `managedByServer`. */
  subject: string
  /** `0003_orders.sql` or `orders/place_order.sql`. */
  path: string
  sql: string
  hash: string
}

export interface VersionedFile extends SqlFile {
  version: string
  name: string
  /** Runs instead on servers before PostgreSQL 17, with the same result. */
  forOlderServers: SqlFile | null
}

export interface SourceFiles {
  source: Source
  versioned: VersionedFile[]
  repeatable: SqlFile[]
  /** Runs once on a database from before 1.0. */
  adoption: SqlFile | null
}

const VERSIONED = /^(\d{4})_(\w+)\.sql$/

/** Renames tables from the last schema before 1.0 to those of 1.0. */
const ADOPTION = 'adopt-1.0.sql'

/** Files for servers that do not understand those of the same name. */
const OLDER_SERVERS = 'before-17'

export async function readSource(source: Source): Promise<SourceFiles> {
  const names = (await readdir(source.migrations)).filter((name) => name.endsWith('.sql')).toSorted()
  const adoption = names.includes(ADOPTION) ? await adoptionFile(source) : null
  const versioned = await Promise.all(
    names.filter((name) => name !== ADOPTION).map((name) => versionedFile(source, name)),
  )
  return { source, versioned, repeatable: await repeatableFiles(source), adoption }
}

/** Ignores line endings, because Git may convert them. */
export function hashOfSql(sql: string): string {
  return hashOf(sql.replaceAll('\r\n', '\n'))
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function versionedFile(source: Source, path: string): Promise<VersionedFile> {
  const [, version, name] = VERSIONED.exec(path) ?? []
  if (!version || !name) {
    throw new DatabaseProblem(`${path}: name a migration NNNN_subject.sql, with four digits`)
  }
  const subject =
    source.managedByServer.find((schema) => name === schema || name.startsWith(`${schema}_`)) ?? name
  const older = join(source.migrations, OLDER_SERVERS, path)
  const forOlderServers = existsSync(older)
    ? { ...(await sqlFile(source.migrations, join(OLDER_SERVERS, path))), subject }
    : null
  return { ...(await sqlFile(source.migrations, path)), subject, version, name, forOlderServers }
}

async function adoptionFile(source: Source): Promise<SqlFile> {
  return { ...(await sqlFile(source.migrations, ADOPTION)), subject: '' }
}

async function repeatableFiles(source: Source): Promise<SqlFile[]> {
  const entries = await readdir(source.schema, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map((entry) => relative(source.schema, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return Promise.all(
    paths.toSorted().map(async (path) => {
      const [subject, ...rest] = path.split('/')
      if (!subject || rest.length !== 1) {
        throw new DatabaseProblem(
          `${path}: a repeatable file must be in a subject folder, <subject>/<name>.sql`,
        )
      }
      return { ...(await sqlFile(source.schema, path)), subject }
    }),
  )
}

async function sqlFile(folder: string, path: string) {
  const sql = await readFile(join(folder, path), 'utf8')
  return { path, sql, hash: hashOfSql(sql) }
}
