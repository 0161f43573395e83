import { readdir, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { listFiles } from './create-backup.ts'
import { type Backup, listBackups, readBackups } from './manifest.ts'
import { noneIfMissing } from './none-if-missing.ts'
import { parseStoredName, UNFINISHED } from './stored-files.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

/** How many periods keep their newest backup. A day keeps one of each history: a restored copy may turn out to be the wrong one. */
const KEPT = [
  { count: 7, periodOf: (name: string) => name.slice(0, 10), isOfEachHistory: true },
  { count: 4, periodOf: weekOf, isOfEachHistory: false },
  { count: 12, periodOf: (name: string) => name.slice(0, 7), isOfEachHistory: false },
]
/** Every moment since the oldest of so many daily backups can be restored; older ones only as they are. */
const DAYS_OF_LOG = 7
const ABANDONED_AFTER_MS = 3_600_000

/**
 * Returns the names to keep: the newest backup of each of the newest 7 days, 4 weeks and 12 months that have one, and of the days that of
 * each history. `backups` must be ordered oldest first.
 */
export function backupsToKeep(backups: { name: string; chain: string }[]): Set<string> {
  const kept = new Set<string>()
  for (const { count, periodOf, isOfEachHistory } of KEPT) {
    const newest = new Map<string, Map<string, string>>()
    for (const { name, chain } of backups) {
      const period = newest.get(periodOf(name)) ?? new Map<string, string>()
      newest.set(periodOf(name), period.set(isOfEachHistory ? chain : '', name))
    }
    for (const period of Array.from(newest.values()).slice(-count))
      for (const name of period.values()) kept.add(name)
  }
  return kept
}

/**
 * Removes backups that need not be kept, files and log that no kept backup needs, and what killed backups left. Returns the names of the
 * removed backups.
 */
export async function removeOldBackups(folder: string): Promise<string[]> {
  await removeLeftovers(folder)
  const names = await listBackups(folder)
  const { backups, problems } = await readBackups(folder)
  // A damaged backup does not take the place of a good one.
  const kept = new Set([
    ...backupsToKeep(names.map((name) => ({ name, chain: '' }))),
    ...backupsToKeep(backups.map(({ name, manifest }) => ({ name, chain: manifest.chain }))),
  ])
  const removed = names.filter((name) => !kept.has(name))
  for (const name of removed) await rm(join(folder, name), { recursive: true })
  // A backup that cannot be read, or has vanished with its drive, may need any file and any log.
  if (problems.length > 0 || backups.length === 0) return removed
  const remaining = backups.filter(({ name }) => kept.has(name))
  await removeUnusedFiles(folder, remaining)
  await removeUnusedLog(folder, remaining)
  return removed
}

/** Removes what killed backups left: unfinished files and folders to which no process has written for an hour. */
export async function removeLeftovers(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const latest = new Map<string, number>()
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    const parts = path.split(sep)
    const end = parts.findIndex((part) => part.endsWith(UNFINISHED))
    if (end < 0) continue
    const leftover = parts.slice(0, end + 1).join(sep)
    // oxlint-disable-next-line no-await-in-loop -- few files
    const written = await stat(join(folder, path)).catch(() => null)
    if (written) latest.set(leftover, Math.max(latest.get(leftover) ?? 0, written.mtimeMs))
  }
  for (const [leftover, writtenAt] of latest) {
    if (Date.now() - writtenAt >= ABANDONED_AFTER_MS) await rm(join(folder, leftover), { recursive: true })
  }
}

async function removeUnusedFiles(folder: string, backups: Backup[]): Promise<void> {
  const used = new Set(backups.flatMap(({ manifest }) => manifest.files))
  // Files that came after the newest backup belong to the next one.
  const newest = backups.at(-1)
  for (const path of (await listFiles(folder)).values()) {
    const isUsed = used.has(path) || !newest || (await isNewer(join(folder, path), newest))
    if (!isUsed) await rm(join(folder, path))
  }
}

async function isNewer(path: string, { manifest }: Backup): Promise<boolean> {
  return (await stat(path)).mtime >= new Date(manifest.startedAt)
}

async function removeUnusedLog(folder: string, backups: Backup[]): Promise<void> {
  const archives = join(folder, 'wal')
  const names: string[] = await readdir(archives).catch(noneIfMissing(archives))
  for (const chain of names) {
    const own = backups.filter(({ manifest }) => manifest.chain === chain)
    const begins = own
      .slice(-DAYS_OF_LOG)
      .flatMap(({ manifest }) => parseStoredName(manifest.wal[0] ?? '')?.name ?? [])
    // The clock may have been ahead at one of them. Log without a backup before it cannot be restored.
    const first = begins.toSorted()[0]
    if (!first) await rm(archiveFolder(folder, chain), { recursive: true })
    else {
      for (const [segment, stored] of await listArchive(folder, chain)) {
        if (segment < first) await rm(join(archiveFolder(folder, chain), stored))
      }
    }
  }
}

/** Returns the year and week number (ISO 8601) of a backup's day. */
function weekOf(name: string): string {
  const day = new Date(`${name.slice(0, 10)}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7))
  const start = Date.UTC(day.getUTCFullYear(), 0, 1)
  return `${day.getUTCFullYear()}-${Math.ceil(((day.getTime() - start) / 86_400_000 + 1) / 7)}`
}
