import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { dataPath } from '#backend/database/installation.ts'
import { loadOrCreate } from '#backend/process/load-or-create.ts'
import { noneIfMissing } from './none-if-missing.ts'
import { parseStoredName, readStoredFile, type StoredFileOptions, writeStoredFile } from './stored-files.ts'

/** PostgreSQL copies each finished segment of its log to this folder of its data, from where the archive takes it. */
export const SPOOL = 'wal_to_archive'
const SEGMENT = /^[0-9A-F]{24}$/
/** A history file names the segments that a restored database continues from. */
const ARCHIVED = /^[0-9A-F]{24}$|^[0-9A-F]{8}\.history$/

/** An archive that works takes a segment within seconds. */
const LONG_WAIT_MS = 600_000

/** Settings with which PostgreSQL finishes a segment at least once a minute and hands it over. */
export const ARCHIVE_SETTINGS = {
  archive_mode: 'on',
  archive_timeout: '60',
  archive_command: `mkdir -p ${SPOOL} && cp %p ${SPOOL}/%f.unfinished && sync ${SPOOL}/%f.unfinished && mv ${SPOOL}/%f.unfinished ${SPOOL}/%f`,
}

export function isSegment(name: string): boolean {
  return SEGMENT.test(name)
}

/** Returns the folder of the archived log of a database, in a folder of backups. */
export function archiveFolder(folder: string, chain: string): string {
  return join(folder, 'wal', chain)
}

/** Returns the name of this database's history; begins one on first use. */
export async function loadChain(dataDir: string): Promise<string> {
  return String(await loadOrCreate(join(dataDir, 'backup-chain'), randomUUID()))
}

/** Lets the database begin a history: its log does not continue the archived one. */
export async function forgetChain(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'backup-chain'), { force: true })
}

/** Returns the archived segments by their names in PostgreSQL: paths in the archive's folder. Throws a DatabaseProblem when it cannot be read. */
export async function listArchive(folder: string, chain: string): Promise<Map<string, string>> {
  const archive = archiveFolder(folder, chain)
  const names: string[] = await readdir(archive).catch(noneIfMissing(archive))
  const segments = names.toSorted().map((stored) => [parseStoredName(stored)?.name ?? '', stored] as const)
  return new Map(segments.filter(([name]) => ARCHIVED.test(name)))
}

export interface ArchiveSource {
  /** PostgreSQL's data. */
  data: string
  folder: string
  chain: string
}

/**
 * Moves the segments that PostgreSQL handed over to the archive, oldest first. Returns false at a segment that the archive has with other
 * content, or that it lacks before its newest one: the database was replaced by an older one, whose log goes another way.
 */
export async function archiveSegments(
  { data, folder, chain }: ArchiveSource,
  options: Pick<StoredFileOptions, 'encryption' | 'signal'>,
): Promise<boolean> {
  const spool = join(data, SPOOL)
  const names = await readdir(spool).catch(noneIfMissing(spool))
  const segments = names.filter((name) => ARCHIVED.test(name)).toSorted()
  if (segments.length === 0) return true
  await mkdir(archiveFolder(folder, chain), { recursive: true, mode: 0o700 })
  const archived = await listArchive(folder, chain)
  // PostgreSQL hands them over in order.
  const newest = Array.from(archived.keys()).findLast(isSegment) ?? ''
  for (const segment of segments) {
    // oxlint-disable no-await-in-loop -- a gap in the archive would end every recovery there
    const stored = archived.get(segment)
    const source = join(spool, segment)
    if (stored === undefined) {
      if (isSegment(segment) && segment < newest) return false
      await writeStoredFile(segment, createReadStream(source), {
        ...options,
        folder: archiveFolder(folder, chain),
      })
    } else if (!(await holdsCopyOf(source, join(archiveFolder(folder, chain), stored), options))) {
      return false
    }
    await rm(source, { force: true })
    // oxlint-enable no-await-in-loop
  }
  return true
}

/** Returns whether a file of the archive has the content of a segment; a damaged one has not. */
async function holdsCopyOf(
  segment: string,
  stored: string,
  { encryption }: Pick<StoredFileOptions, 'encryption'>,
): Promise<boolean> {
  const content = await buffer(readStoredFile(stored, encryption)).catch((error: unknown) => {
    if (error instanceof DatabaseProblem) return null
    throw error
  })
  return content?.equals(await readFile(segment)) ?? false
}

/** Returns whether segments are missing between the first and the last of these, which a recovery could not pass. */
export function hasHole(segments: string[]): boolean {
  // Eight digits each: the timeline, and the two parts of the position.
  const positions = new Set(
    segments
      .filter(isSegment)
      .map((name) => Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16)),
  )
  return positions.size > 0 && Math.max(...positions) - Math.min(...positions) >= positions.size
}

/** Returns since when log of the embedded database waits for the archive; null when none does. */
export async function logWaitingSince(dataDir: string): Promise<Date | null> {
  const { since } = await waitingLog(await dataPath(resolve(dataDir)))
  return since
}

/** Removes the segments that wait for the archive, if one has waited for minutes: the archive does not take them. Returns how many. */
export async function dropWaitingLog(data: string): Promise<number> {
  const { paths, since } = await waitingLog(data)
  if (!since || Date.now() - since.getTime() < LONG_WAIT_MS) return 0
  for (const path of paths) await rm(path, { force: true })
  return paths.length
}

/** Oldest first. */
async function waitingLog(data: string): Promise<{ paths: string[]; since: Date | null }> {
  const spool = join(data, SPOOL)
  const names: string[] = await readdir(spool).catch(noneIfMissing(spool))
  const paths = names
    .filter(isSegment)
    .toSorted()
    .map((name) => join(spool, name))
  const oldest = paths[0] === undefined ? null : await stat(paths[0]).catch(() => null)
  return { paths, since: oldest?.mtime ?? null }
}
