import { existsSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { backupNameOf, listBackups, type Manifest } from './manifest.ts'
import { backupsToKeep, removeLeftovers, removeOldBackups } from './retention.ts'
import { setAsideDamaged, writeStoredFile } from './stored-files.ts'
import { listArchive } from './wal-archive.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retention-'))
})
afterEach(() => rm(folder, { recursive: true }))

const segmentOf = (day: number) => String(day).padStart(24, '0')

/** Writes a backup of a day, whose log begins with that day's segment. */
async function makeBackup(
  day: number,
  segment = day,
  { chain = 'shop', hour = 3, files = [] as string[] } = {},
): Promise<void> {
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
    files,
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

it('keeps a picture that came and went between two backups while a moment between them can be restored', async () => {
  for (const day of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await makeBackup(day)
  const plain = { folder, encryption: null, compress: false }
  for (const [name, day] of Object.entries({ beforeLog: 3, duringLog: 4 })) {
    const path = await writeStoredFile(`files/ab/${name}`, [], plain)
    const moment = new Date(Date.UTC(2026, 0, day, 12))
    await utimes(join(folder, path), moment, moment)
  }

  await removeOldBackups(folder)

  expect(await readdir(join(folder, 'files/ab'))).toEqual([expect.stringMatching(/^duringLog/)])
})

it('keeps the new copy of a damaged picture for an older backup, which names the former copy', async () => {
  const plain = { folder, encryption: null, compress: false }
  const former = await writeStoredFile('files/ab/picture', [Buffer.from('former')], plain)
  await rm(join(folder, former))
  const copy = await writeStoredFile('files/ab/picture', [Buffer.from('new')], plain)
  await utimes(join(folder, copy), new Date(0), new Date(0))
  await makeBackup(1, 1, { files: [former] })
  await makeBackup(2)

  await removeOldBackups(folder)

  expect(await readdir(join(folder, 'files/ab'))).toContain(basename(copy))
})

it('removes a damaged picture once no backup has that picture', async () => {
  const plain = { folder, encryption: null, compress: false }
  const [kept = '', deleted = ''] = await Promise.all(
    ['kept', 'deleted'].map((name) => writeStoredFile(`files/ab/${name}`, [], plain)),
  )
  for (const path of [kept, deleted]) {
    await appendFile(join(folder, path), 'flipped')
    await utimes(join(folder, path), new Date(0), new Date(0))
    await setAsideDamaged(join(folder, path))
  }
  await makeBackup(1, 1, { files: [kept] })

  await removeOldBackups(folder)

  expect(await readdir(join(folder, 'files/ab'))).toEqual([`${basename(kept)}.damaged`])
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

  await removeLeftovers(folder)

  expect(await readdir(folder)).toEqual(['running.unfinished'])
})

/** Of a new disk and of network drives. */
const FOREIGN = ['#recycle', '@eaDir', 'System Volume Information', 'lost+found']
const isRoot = process.geteuid?.() === 0
/** Root may open the folders of all users. */
const user = isRoot ? 65_534 : (process.geteuid?.() ?? 0)

async function asUser(work: () => Promise<void>): Promise<void> {
  if (isRoot) process.seteuid?.(user)
  await work().finally(() => isRoot && process.seteuid?.(0))
}

it('removes what need not be kept from a drive with folders of other programs that it may not open', async () => {
  for (const day of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await makeBackup(day)
  const plain = { folder, encryption: null, compress: false }
  const unused = ['files/ab/picture', `wal/shop/${segmentOf(1)}`, `wal/former/${segmentOf(1)}`]
  const stored = await Promise.all(unused.map((path) => writeStoredFile(path, [], plain)))
  const leftover = 'files/ab/.killed.unfinished'
  await writeFile(join(folder, leftover), 'partial')
  for (const path of [...stored, leftover]) await utimes(join(folder, path), new Date(0), new Date(0))
  const own = ['', ...(await readdir(folder, { recursive: true }))]
  for (const path of own) await chown(join(folder, path), user, user)
  const parents = ['', 'files', 'files/ab', 'wal', 'wal/shop']
  const foreign = parents.flatMap((parent) => FOREIGN.map((name) => join(folder, parent, name)))
  for (const path of foreign) await mkdir(path, { mode: 0 })

  await asUser(async () => {
    await removeLeftovers(folder)
    await removeOldBackups(folder)
  })

  for (const path of foreign) await chmod(path, 0o700)
  expect((await listBackups(folder))[0]).toBe('2026-01-04T03-00-00Z')
  expect(await readdir(join(folder, 'files/ab'))).toEqual(FOREIGN)
  expect(await readdir(join(folder, 'wal'))).toEqual([...FOREIGN, 'shop'])
  expect(await readdir(join(folder, 'wal/shop'))).toEqual(FOREIGN)
})

it('removes what it can when a leftover and an old backup are another user’s, and names these', async () => {
  for (const day of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await makeBackup(day)
  const leftovers = [1, 2].map((second) => join(folder, `2026-01-01T00-00-0${second}Z.unfinished`))
  for (const path of leftovers) {
    await mkdir(path)
    await writeFile(join(path, 'database.tar'), 'partial')
    await utimes(join(path, 'database.tar'), new Date(0), new Date(0))
    await utimes(path, new Date(0), new Date(0))
  }
  for (const path of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, path), user, user)
  const [leftover = '', backup] = [leftovers[0], join(folder, '2026-01-01T03-00-00Z')]
  for (const path of [leftover, backup]) {
    if (isRoot) await chown(path, 0, 0)
    await chmod(path, 0)
  }

  await asUser(async () => {
    await expect(removeLeftovers(folder)).rejects.toThrow(`cannot remove ${leftover} (EACCES)`)
    await expect(removeOldBackups(folder)).rejects.toThrow(`cannot remove ${backup} (EACCES)`)
  })

  for (const path of [leftover, backup]) await chmod(path, 0o700)
  const [first, ...days] = [1, 4, 5, 6, 7, 8, 9, 10].map((day) => String(day).padStart(2, '0'))
  expect((await readdir(folder)).toSorted()).toEqual([
    basename(leftover),
    ...[first, ...days].map((day) => `2026-01-${day}T03-00-00Z`),
  ])
})

it('keeps a week of log although backups that another user owns and that are not the day’s last stay', async () => {
  const days = [1, 2, 3, 4, 5, 6, 7]
  const foreign = days.slice(-3).map((day) => join(folder, `2026-01-0${day}T01-00-00Z`))
  for (const day of days) {
    if (day > 4) await makeBackup(day, day, { hour: 1 })
    await makeBackup(day)
    await writeStoredFile(`wal/shop/${segmentOf(day)}`, [], { folder, encryption: null, compress: false })
  }
  for (const path of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, path), user, user)
  for (const path of foreign) {
    if (isRoot) await chown(path, 0, 0)
    await chmod(path, 0o555)
  }

  await asUser(() => expect(removeOldBackups(folder)).rejects.toThrow('cannot remove'))

  for (const path of foreign) await chmod(path, 0o700)
  expect([...(await listArchive(folder, 'shop')).keys()]).toEqual(days.map(segmentOf))
})

it('removes pictures and log that no backup needs although another user’s old backup stays, and that backup keeps its own', async () => {
  const plain = { folder, encryption: null, compress: false }
  const [needed = '', unused = ''] = await Promise.all(
    ['needed', 'unused'].map((name) => writeStoredFile(`files/ab/${name}`, [], plain)),
  )
  const log = await writeStoredFile(`wal/shop/${segmentOf(1)}`, [], plain)
  for (const path of [needed, unused]) await utimes(join(folder, path), new Date(0), new Date(0))
  await makeBackup(1, 1, { files: [needed] })
  for (const day of [2, 3, 4, 5, 6, 7, 8, 9, 10]) await makeBackup(day)
  const foreign = join(folder, '2026-01-01T03-00-00Z')
  for (const path of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, path), user, user)
  if (isRoot) await chown(foreign, 0, 0)
  await chmod(foreign, 0o555)
  const removed: string[] = []

  await asUser(() =>
    expect(removeOldBackups(folder, (name) => removed.push(name))).rejects.toThrow(
      `cannot remove ${foreign} (EACCES)`,
    ),
  )

  await chmod(foreign, 0o700)
  expect(removed).toEqual(['2026-01-02T03-00-00Z', '2026-01-03T03-00-00Z'])
  expect(await readdir(join(folder, 'files/ab'))).toEqual([basename(needed)])
  expect(existsSync(join(folder, log))).toBe(false)
})
