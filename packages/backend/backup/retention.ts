import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from './create-backup.ts'
import { type Backup, listBackups, readBackup } from './manifest.ts'
import { parseStoredName } from './stored-files.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

/** How many periods keep their newest backup. */
const KEPT = [
  { count: 7, periodOf: (name: string) => name.slice(0, 10) },
  { count: 4, periodOf: weekOf },
  { count: 12, periodOf: (name: string) => name.slice(0, 7) },
]
/** Every moment since the oldest of so many daily backups can be restored; older ones only as they are. */
const DAYS_OF_LOG = 7

/** Returns the names of the backups to keep: of the newest 7 days, 4 weeks and 12 months that have one, the newest each. */
export function backupsToKeep(names: string[]): Set<string> {
  const kept = new Set<string>()
  for (const { count, periodOf } of KEPT) {
    const newest = new Map(names.toSorted().map((name) => [periodOf(name), name]))
    for (const name of Array.from(newest.values()).slice(-count)) kept.add(name)
  }
  return kept
}

/** Removes backups that need not be kept, and files and log that no kept backup needs. Returns the names of the removed backups. */
export async function removeOldBackups(folder: string): Promise<string[]> {
  const names = await listBackups(folder)
  const kept = backupsToKeep(names)
  const removed = names.filter((name) => !kept.has(name))
  for (const name of removed) await rm(join(folder, name), { recursive: true })
  if (removed.length === 0) return []
  const backups = await Promise.all(
    Array.from(kept)
      .toSorted()
      .map((name) => readBackup(folder, name)),
  )
  await removeUnusedFiles(folder, backups)
  await removeUnusedLog(folder, backups)
  return removed
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
  const chains = new Set(backups.map(({ manifest }) => manifest.chain))
  for (const chain of chains) {
    const oldest = backups.filter(({ manifest }) => manifest.chain === chain).slice(-DAYS_OF_LOG)[0]
    const first = parseStoredName(oldest?.manifest.wal[0] ?? '')?.name ?? ''
    for (const [segment, stored] of await listArchive(folder, chain)) {
      if (segment < first) await rm(join(archiveFolder(folder, chain), stored))
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
