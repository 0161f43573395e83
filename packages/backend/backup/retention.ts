import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { type Backup, listBackups, readBackups } from './manifest.ts'
import { noneIfMissing } from './none-if-missing.ts'
import { isStoredFolder, listStored, parseStoredName, storedFileKey, UNFINISHED } from './stored-files.ts'
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
 * Removes backups that need not be kept, and files and log that no remaining backup needs. Calls `onRemoved` with the name of each removed
 * backup. Throws a DatabaseProblem that names what cannot be removed, once everything else is, and backups that cannot be read: they may
 * need any file and any log, so all of these stay.
 */
export async function removeOldBackups(
  folder: string,
  onRemoved: (name: string) => void = () => undefined,
): Promise<void> {
  const names = await listBackups(folder)
  const { backups } = await readBackups(folder)
  // A damaged backup does not take the place of a good one.
  const kept = new Set([
    ...backupsToKeep(names.map((name) => ({ name, chain: '' }))),
    ...backupsToKeep(backups.map(({ name, manifest }) => ({ name, chain: manifest.chain }))),
  ])
  const old = names.filter((name) => !kept.has(name))
  const refused = await removeAll(old.map((name) => join(folder, name)))
  old.filter((name) => !refused.has(join(folder, name))).forEach(onRemoved)
  const { backups: remaining, problems } = await readBackups(folder)
  // One that cannot be removed does not count as one of the week's.
  const withLog = backupsWithLog(remaining.filter(({ name }) => kept.has(name)))
  // Backups that have vanished with their drive may need any file and any log, too.
  const unused =
    problems.length > 0 || remaining.length === 0
      ? []
      : [...(await unusedFiles(folder, remaining, withLog)), ...(await unusedLog(folder, withLog))]
  requireRemoved(new Map([...refused, ...(await removeAll(unused))]), problems)
}

/**
 * Removes what killed backups left: unfinished files and folders to which no process has written for an hour. Throws a DatabaseProblem that
 * names what cannot be removed, once everything else is.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder)
  const stored = await Promise.all(
    ['files', 'wal'].map(async (each) =>
      (await listStored(join(folder, each))).map((path) => join(each, path)),
    ),
  )
  const abandoned: string[] = []
  for (const path of [names, stored].flat(2).filter((each) => each.endsWith(UNFINISHED))) {
    // oxlint-disable-next-line no-await-in-loop -- few
    const writtenAt = await lastWrite(join(folder, path))
    if (Date.now() - writtenAt >= ABANDONED_AFTER_MS) abandoned.push(join(folder, path))
  }
  requireRemoved(await removeAll(abandoned))
}

/** Returns when a file, or one in a folder, was written last; infinity when one of them has vanished. */
async function lastWrite(path: string): Promise<number> {
  // Another user's folder cannot be read.
  const below = await listStored(path).catch((): string[] => [])
  const times = await Promise.all(
    ['', ...below].map(async (each) => (await stat(join(path, each)).catch(() => null))?.mtimeMs ?? Infinity),
  )
  return Math.max(...times)
}

/** Returns the error codes of what cannot be removed. Goes on after what another user owns: the rest must not fill the drive. */
async function removeAll(paths: string[]): Promise<Map<string, string | undefined>> {
  const refused = new Map<string, string | undefined>()
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- a drive removes one at a time
    await rm(path, { recursive: true, force: true }).catch(({ code }: NodeJS.ErrnoException) => {
      refused.set(path, code)
    })
  }
  return refused
}

function requireRemoved(refused: Map<string, string | undefined>, unreadable: string[] = []): void {
  const paths = Array.from(refused, ([path, code]) => `${path} (${code})`).join(', ')
  const reasons = [
    paths && `cannot remove ${paths}: let the user of the shop own the folder of the backups and all in it`,
    ...unreadable.map(
      (problem) => `no pictures and no log are removed while a backup cannot be read: ${problem}`,
    ),
  ].filter(Boolean)
  if (reasons.length > 0) throw new DatabaseProblem(reasons.join('; '))
}

/** Returns, of each history, the backups after which every moment can be restored. */
function backupsWithLog(backups: Backup[]): Backup[] {
  const withLog = backups.filter(({ manifest }) => manifest.wal.length > 0)
  const histories = Map.groupBy(withLog, ({ manifest }) => manifest.chain)
  return Array.from(histories.values()).flatMap((history) => history.slice(-DAYS_OF_LOG))
}

/** By key: the copy of a file that was damaged has another path than older backups name. */
async function unusedFiles(folder: string, backups: Backup[], withLog: Backup[]): Promise<string[]> {
  const used = new Set(backups.flatMap(({ manifest }) => manifest.files.map(storedFileKey)))
  // No backup names a file that was deleted before the next one, but moments between the two can be restored.
  const since = startOfOldest([...backups.slice(-1), ...withLog])
  const unused: string[] = []
  for (const stored of await listStored(join(folder, 'files'))) {
    const path = join('files', stored)
    const key = storedFileKey(path)
    if (!key || used.has(key)) continue
    // oxlint-disable-next-line no-await-in-loop -- few files are in no backup
    if ((await stat(join(folder, path))).mtimeMs < since) unused.push(join(folder, path))
  }
  return unused
}

function startOfOldest(backups: Backup[]): number {
  return Math.min(...backups.map(({ manifest }) => new Date(manifest.startedAt).getTime()))
}

async function unusedLog(folder: string, withLog: Backup[]): Promise<string[]> {
  const archives = join(folder, 'wal')
  const names: string[] = await readdir(archives).catch(noneIfMissing(archives))
  const unused: string[] = []
  for (const chain of names.filter(isStoredFolder)) {
    const begins = withLog
      .filter(({ manifest }) => manifest.chain === chain)
      .flatMap(({ manifest }) => parseStoredName(manifest.wal[0] ?? '')?.name ?? [])
    // The clock may have been ahead at one of them. Log without a backup before it cannot be restored.
    const first = begins.toSorted()[0]
    if (!first) unused.push(archiveFolder(folder, chain))
    else {
      for (const [segment, stored] of await listArchive(folder, chain)) {
        if (segment < first) unused.push(join(archiveFolder(folder, chain), stored))
      }
    }
  }
  return unused
}

/** Returns the year and week number (ISO 8601) of a backup's day. */
function weekOf(name: string): string {
  const day = new Date(`${name.slice(0, 10)}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7))
  const start = Date.UTC(day.getUTCFullYear(), 0, 1)
  return `${day.getUTCFullYear()}-${Math.ceil(((day.getTime() - start) / 86_400_000 + 1) / 7)}`
}
