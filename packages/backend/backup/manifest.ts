import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { noneIfMissing } from './none-if-missing.ts'
import { parseStoredName, requireIntact } from './stored-files.ts'

/** Raised when older versions of this program could not restore the backup any more. */
export const FORMATS = { embedded: 1, external: 2 }
const NEWEST_FORMAT = FORMATS.external

/** Names of backups sort by time: 2026-11-23T19-30-00Z. */
const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

/** Paths are written to the same place in a restored copy: the folder of the backups may belong to another machine. */
const pathInside = z.string().refine((path) => !path.split('/').includes('..'))

const schema = z.object({
  format: z.number(),
  /** The application's version. */
  version: z.string(),
  postgresMajor: z.number(),
  /** Of the history of one database, by `loadChain` or `readExternalChain`; a restored copy begins another. */
  chain: pathInside,
  startedAt: z.iso.datetime(),
  /** The earliest moment to which the backup can be restored. */
  endedAt: z.iso.datetime(),
  /** The database has a server of its own: `database` is a dump without log. */
  isExternal: z.boolean().default(false),
  /** PostgreSQL's file of this name, which recovery needs; empty for a dump. */
  backupLabel: z.string(),
  /** Paths in the backup; null when the provider of an external database must back it up. */
  database: pathInside.nullable(),
  /** Before compression; older backups do not tell it. */
  databaseBytes: z.number().optional(),
  settings: pathInside,
  wal: z.array(pathInside),
  /** Paths in the backup folder, which the backups share. */
  files: z.array(pathInside),
})

export type Manifest = z.infer<typeof schema>

/** What the manifest says about the database. */
export type DatabasePart = Pick<
  Manifest,
  | 'backupLabel'
  | 'chain'
  | 'database'
  | 'databaseBytes'
  | 'endedAt'
  | 'format'
  | 'isExternal'
  | 'postgresMajor'
  | 'wal'
>

export interface Backup {
  /** The folder that holds all backups. */
  folder: string
  name: string
  manifest: Manifest
}

export function backupNameOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

export function momentOfBackup(name: string): Date {
  const [day, time = ''] = name.split('T')
  return new Date(`${day}T${time.replaceAll('-', ':')}`)
}

/** Clocks of several machines may differ by less; of two backups in one second, the second is named for the next one. */
const CLOCK_DIFFERENCE_MS = 3_600_000

/** Whether the clock was ahead when the backup was made, or is behind now. */
export function isInFuture(name: string): boolean {
  return momentOfBackup(name).getTime() > Date.now() + CLOCK_DIFFERENCE_MS
}

/**
 * Returns the names of the finished backups of a folder, oldest first. Those dated in the future come before all others: as the newest,
 * one would prevent every backup until its date. Throws a DatabaseProblem when the folder cannot be read.
 */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(noneIfMissing(folder))
  const backups = names.filter((name) => BACKUP_NAME.test(name)).toSorted()
  return [...backups.filter(isInFuture), ...backups.filter((name) => !isInFuture(name))]
}

/** Returns whether a finished backup contains the database. */
export async function holdsDatabase(folder: string, name: string): Promise<boolean> {
  const names = await readdir(join(folder, name))
  return names.some((each) => parseStoredName(each)?.name.startsWith('database.'))
}

export interface ReadBackups {
  /** Oldest first. */
  backups: Backup[]
  /** A sentence for each backup that is damaged or of a newer format. */
  problems: string[]
}

/** Reads the finished backups of a folder. Those that cannot be restored do not prevent the others from being used. */
export async function readBackups(folder: string): Promise<ReadBackups> {
  const backups: Backup[] = []
  const problems: string[] = []
  for (const name of await listBackups(folder)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one backup after the other
      backups.push(await readBackup(folder, name))
    } catch (error) {
      // Any other error, such as a failing disk, says nothing about the backup.
      if (!(error instanceof DatabaseProblem)) throw error
      problems.push(error.message)
    }
  }
  return { backups, problems }
}

/** Returns the newest backup that can be read; with `chain`, of this history of a database. */
export async function newestBackup(
  folder: string,
  { chain }: { chain?: string } = {},
): Promise<Backup | null> {
  for (const name of (await listBackups(folder)).toReversed()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the newest first
      const backup = await readBackup(folder, name)
      if (!chain || backup.manifest.chain === chain) return backup
    } catch (error) {
      if (!(error instanceof DatabaseProblem)) throw error
    }
  }
  return null
}

/** Throws a DatabaseProblem when the manifest is missing, unreadable, damaged, of a newer format, or names files elsewhere. */
export async function readBackup(folder: string, name: string): Promise<Backup> {
  const path = join(folder, name)
  const names = await readdir(path).catch(noneIfMissing(path))
  const manifest = names.find((each) => parseStoredName(each)?.name === 'manifest.json')
  if (!manifest)
    throw new DatabaseProblem(`${path} holds no backup: name a folder that npm run backup has written`)
  await requireIntact(join(path, manifest))
  const content: unknown = JSON.parse(await readFile(join(path, manifest), 'utf8'))
  const { format } = z.object({ format: z.number() }).parse(content)
  if (format > NEWEST_FORMAT) {
    throw new DatabaseProblem(`a newer version made the backup ${path}: restore it with that version`)
  }
  const { data } = schema.safeParse(content)
  if (!data)
    throw new DatabaseProblem(`${join(path, manifest)} is not a manifest of this program: use another backup`)
  return { folder, name, manifest: data }
}
