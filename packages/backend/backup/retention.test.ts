import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { backupNameOf, listBackups, type Manifest } from './manifest.ts'
import { backupsToKeep, removeOldBackups } from './retention.ts'
import { writeStoredFile } from './stored-files.ts'
import { listArchive } from './wal-archive.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retention-'))
})
afterEach(() => rm(folder, { recursive: true }))

const segmentOf = (day: number) => String(day).padStart(24, '0')

/** Writes a backup of a day, whose log begins with that day's segment. */
async function makeBackup(day: number, segment = day, { chain = 'shop', hour = 3 } = {}): Promise<void> {
  const moment = new Date(Date.UTC(2026, 0, day, hour))
  const name = backupNameOf(moment)
  const place = { folder: join(folder, name), encryption: null, compress: false }
  const manifest: Manifest = {
    format: 1,
    version: '1.0.0',
    postgresMajor: 17,
    chain,
    startedAt: moment.toISOString(),
    endedAt: moment.toISOString(),
    isExternal: false,
    backupLabel: '',
    database: null,
    settings: 'settings.json',
    wal: [await writeStoredFile(`wal/${segmentOf(segment)}`, [], place)],
    files: [],
  }
  await writeStoredFile('manifest.json', [Buffer.from(JSON.stringify(manifest))], place)
}

it('keeps the newest backup of seven days, four weeks and twelve months', () => {
  const days = Array.from({ length: 800 }, (_, day) =>
    new Date(Date.UTC(2025, 0, 1, 3) + day * 86_400_000).toISOString().slice(0, 10),
  )
  const names = days.flatMap((day) => [`${day}T03-00-00Z`, `${day}T15-00-00Z`])

  const kept = Array.from(backupsToKeep(names.map((name) => ({ name, chain: 'shop' })))).toSorted()

  // The newest two weeks and months have their backups among the days.
  expect(kept).toHaveLength(7 + 2 + 10)
  expect(kept.slice(-7)).toEqual(days.slice(-7).map((day) => `${day}T15-00-00Z`))
  expect(kept[0]?.slice(0, 10)).toBe('2026-04-30')
})

it('keeps the last backups and log of the history that a restored copy replaced, for a week of backups', async () => {
  for (const day of [1, 2, 3]) {
    await makeBackup(day)
    await writeStoredFile(`wal/shop/${segmentOf(day)}`, [], { folder, encryption: null, compress: false })
  }
  await makeBackup(3, 1, { chain: 'copy', hour: 5 })
  await removeOldBackups(folder)
  expect(await listBackups(folder)).toContain('2026-01-03T03-00-00Z')
  expect([...(await listArchive(folder, 'shop')).keys()]).toEqual([1, 2, 3].map(segmentOf))

  for (const day of [4, 5, 6, 7, 8, 9, 10]) await makeBackup(day, day, { chain: 'copy' })
  await removeOldBackups(folder)
  expect(await listBackups(folder)).not.toContain('2026-01-03T03-00-00Z')
})

it('keeps the log since the oldest of the seven newest daily backups', async () => {
  const days = Array.from({ length: 10 }, (_, at) => at + 1)
  for (const day of days) {
    await makeBackup(day)
    await writeStoredFile(`wal/shop/${segmentOf(day)}`, [], { folder, encryption: null, compress: false })
  }

  await removeOldBackups(folder)

  expect([...(await listArchive(folder, 'shop')).keys()]).toEqual(days.slice(-7).map(segmentOf))
})

it('keeps the log while the folder has no backup', async () => {
  const plain = { folder, encryption: null, compress: false }
  await writeStoredFile(`wal/shop/${segmentOf(1)}`, [], plain)

  await removeOldBackups(folder)

  expect([...(await listArchive(folder, 'shop')).keys()]).toEqual([segmentOf(1)])
})

it('keeps the log of backups that were made before one that is dated in the future', async () => {
  for (const [day, segment] of [
    [1, 1],
    [2, 2],
    [365_000, 3],
    [4, 4],
  ] as const) {
    await makeBackup(day, segment)
    const place = { folder, encryption: null, compress: false }
    await writeStoredFile(`wal/shop/${segmentOf(segment)}`, [], place)
  }

  await removeOldBackups(folder)

  expect([...(await listArchive(folder, 'shop')).keys()]).toEqual([1, 2, 3, 4].map(segmentOf))
})

it('keeps a backup of today while the clock is behind those that were made before', async () => {
  const years = Array.from({ length: 30 }, (_, at) => 365_000 + at * 40)
  for (const day of [...years, 1]) await makeBackup(day)

  await removeOldBackups(folder)

  expect((await listBackups(folder)).at(-1)).toBe('2026-01-01T03-00-00Z')
})

it('keeps a file that no backup names if it came to the folder after the newest backup', async () => {
  await makeBackup(2)
  const plain = { folder, encryption: null, compress: false }
  for (const [name, day] of Object.entries({ before: 1, after: 3 })) {
    const path = await writeStoredFile(`files/ab/${name}`, [], plain)
    const moment = new Date(Date.UTC(2026, 0, day))
    await utimes(join(folder, path), moment, moment)
  }

  await removeOldBackups(folder)

  expect(await readdir(join(folder, 'files/ab'))).toEqual([expect.stringMatching(/^after/)])
})

it('removes what a backup left an hour after the last byte, not before', async () => {
  const written = Object.entries({ 'running.unfinished': 59, 'killed.unfinished': 61 })
  for (const [name, minutes] of written) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'database.tar'), 'partial')
    const at = new Date(Date.now() - minutes * 60_000)
    await utimes(join(folder, name, 'database.tar'), at, at)
    await utimes(join(folder, name), at, at)
  }

  await removeOldBackups(folder)

  expect(await readdir(folder)).toEqual(['running.unfinished'])
})
