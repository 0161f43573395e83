import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { parseStoredName, type StoredFileOptions, writeStoredFile } from './stored-files.ts'

/** PostgreSQL copies each finished segment of its log to this folder of its data, from where the archive takes it. */
export const SPOOL = 'wal_to_archive'
const SEGMENT = /^[0-9A-F]{24}$/
/** A history file names the segments that a restored database continues from. */
const ARCHIVED = /^[0-9A-F]{24}$|^[0-9A-F]{8}\.history$/

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
  const path = join(dataDir, 'backup-chain')
  await writeFile(path, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(path, 'utf8')
}

/** Returns the archived segments by their names in PostgreSQL: paths in the archive's folder. */
export async function listArchive(folder: string, chain: string): Promise<Map<string, string>> {
  const names = await readdir(archiveFolder(folder, chain)).catch((): string[] => [])
  const segments = names.toSorted().map((stored) => [parseStoredName(stored)?.name ?? '', stored] as const)
  return new Map(segments.filter(([name]) => ARCHIVED.test(name)))
}

export interface ArchiveSource {
  /** PostgreSQL's data. */
  data: string
  folder: string
  chain: string
}

/** Moves the segments that PostgreSQL handed over to the archive, oldest first. Returns how many. */
export async function archiveSegments(
  { data, folder, chain }: ArchiveSource,
  { encryption }: Pick<StoredFileOptions, 'encryption'>,
): Promise<number> {
  const spool = join(data, SPOOL)
  const names = await readdir(spool).catch(() => [])
  const segments = names.filter((name) => ARCHIVED.test(name)).toSorted()
  if (segments.length === 0) return 0
  await mkdir(archiveFolder(folder, chain), { recursive: true, mode: 0o700 })
  const archived = await listArchive(folder, chain)
  for (const segment of segments) {
    // oxlint-disable no-await-in-loop -- a gap in the archive would end every recovery there
    if (!archived.has(segment)) {
      await writeStoredFile(segment, createReadStream(join(spool, segment)), {
        folder: archiveFolder(folder, chain),
        encryption,
      })
    }
    await rm(join(spool, segment))
    // oxlint-enable no-await-in-loop
  }
  return segments.length
}
