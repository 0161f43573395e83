import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { type EmbeddedPostgres, postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { dataPath } from '#backend/database/installation.ts'
import { createBackup } from './create-backup.ts'
import { keepBackups } from './keep-backups.ts'
import { listBackups, newestBackup } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { isRestoredCopy, makeLive } from './restored-copy.ts'
import { backupsToKeep, removeOldBackups } from './retention.ts'
import { verifyBackups } from './verify-backup.ts'
import { ARCHIVE_SETTINGS, archiveSegments, listArchive, loadChain, SPOOL } from './wal-archive.ts'

let root: string
let shop: string
let target: string
let postgres: EmbeddedPostgres
beforeAll(async () => {
  shop = await mkdtemp(join(tmpdir(), 'backed-up-'))
  postgres = await startPostgres(shop, { settings: ARCHIVE_SETTINGS })
  await run(postgres, 'create table orders (number int)')
})
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'backups-'))
  target = join(root, 'backups')
  await run(postgres, 'truncate orders')
  await run(postgres, 'insert into orders select generate_series(1, 36)')
  await rm(join(shop, 'storage'), { recursive: true, force: true })
  // Each backup before has left segments, which every archive here would compress again.
  await rm(join(await dataPath(shop), SPOOL), { recursive: true, force: true, maxRetries: 5 })
})
afterEach(() => rm(root, { recursive: true, force: true }))
afterAll(async () => {
  await postgres.stop()
  await rm(shop, { recursive: true, force: true })
})

async function run(server: EmbeddedPostgres, sql: string): Promise<string> {
  const client = new Client({ connectionString: postgresUrl(server, 'supabase_admin') })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return String(rows[0]?.[0])
}

async function addPicture(name: string): Promise<Buffer> {
  const content = randomBytes(100_000)
  await mkdir(join(shop, 'storage/objects/ab'), { recursive: true })
  await writeFile(join(shop, 'storage/objects/ab', name), content)
  return content
}

const spaceOf = async () => ({ level: 'low' as const })
const settings = {
  environment: {
    PUBLIC_URL: 'https://shop.example',
    MAIL_FROM: '"Saltfreak" <orders@shop.example>',
    SMTP_URL: 'smtps://shop:it\'s "50$\\n#1"@mail.example',
  },
  version: '1.0.0',
}
const makeBackup = (passphrase: string | null = null) =>
  createBackup({ dataDir: shop, ...settings }, { folder: target, passphrase, scryptWorkFactor: 4 })

async function countRestored(folder: string): Promise<string> {
  const copy = await startPostgres(folder)
  try {
    return await run(copy, 'select count(*) from orders')
  } finally {
    await copy.stop()
  }
}

async function permissionsOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

async function damageManifest(name: string): Promise<void> {
  const manifest = (await readdir(join(target, name))).find((each) => each.startsWith('manifest')) ?? ''
  await writeFile(join(target, name, manifest), 'damaged')
}

/** Changes a manifest as an attacker with write access to the folder does: its name tells its hash. */
async function rewriteManifest(
  name: string,
  change: (manifest: { files: string[] }) => object,
): Promise<void> {
  const file = (await readdir(join(target, name))).find((each) => each.startsWith('manifest')) ?? ''
  const content = JSON.stringify(change(JSON.parse(await readFile(join(target, name, file), 'utf8'))))
  const hash = createHash('sha256').update(content).digest('hex')
  await rm(join(target, name, file))
  await writeFile(join(target, name, file.replace(/[0-9a-f]{64}/, hash)), content)
}

/** Waits until PostgreSQL has handed over the current segment. */
async function finishSegment(): Promise<void> {
  // An empty segment is not finished.
  await run(postgres, "select pg_logical_emit_message(true, 'test', 'a record')")
  const segment = await run(postgres, 'select pg_walfile_name(pg_switch_wal())')
  const handedOver = `select last_archived_wal >= '${segment}' from pg_stat_archiver`
  while ((await run(postgres, handedOver)) !== 'true') await pause(20)
}

/** Finishes the current segment and takes it to the archive, as the minute's end does. */
async function archive(): Promise<void> {
  await finishSegment()
  const source = { data: await dataPath(shop), folder: target, chain: await loadChain(shop) }
  await archiveSegments(source, { encryption: null })
}

function restoreInto(into: string, from = target): Promise<unknown> {
  return restoreBackup({ from, into, passphrase: null })
}

function restoreAsOf(at: Date): Promise<unknown> {
  return restoreBackup({ from: target, into: join(root, 'restored'), at, passphrase: null })
}

it('restores rows, files and settings from a backup that was made while the database was written to', async () => {
  const picture = await addPicture('one')
  const backup = makeBackup()
  const progress = { isDone: false }
  void backup.finally(() => (progress.isDone = true))
  do await run(postgres, 'insert into orders values (0)')
  while (!progress.isDone)
  const { name } = await backup

  const into = join(root, 'restored')
  const { settingsFile } = await restoreBackup({ from: join(target, name), into, passphrase: null })

  expect(Number(await countRestored(into))).toBeGreaterThanOrEqual(36)
  expect(await readFile(join(into, 'storage/objects/ab/one'))).toEqual(picture)
  expect(parseEnv(await readFile(settingsFile, 'utf8'))).toEqual(settings.environment)
  expect(await permissionsOf(target), 'backups are closed to other users of the machine').toBe('700')
  expect(await permissionsOf(settingsFile), 'settings are closed to other users of the machine').toBe('600')
})

it('restores every moment after a backup from the archived log, to the row', async () => {
  await makeBackup()
  await run(postgres, 'insert into orders select generate_series(1, 5)')
  const moment = new Date(await run(postgres, 'select clock_timestamp()::text'))
  await pause(5)
  await run(postgres, 'insert into orders select generate_series(1, 9)')
  await archive()

  const [then, now] = [join(root, 'then'), join(root, 'now')]
  await restoreBackup({ from: target, into: then, at: moment, passphrase: null })
  await restoreBackup({ from: target, into: now, passphrase: null })

  expect(await countRestored(then)).toBe('41')
  expect(await countRestored(now)).toBe('50')
})

it('restores a named backup as it was made, without what happened afterwards', async () => {
  const { name } = await makeBackup()
  await run(postgres, 'delete from orders')
  await archive()

  const into = join(root, 'restored')
  await restoreInto(into, join(target, name))

  expect(await countRestored(into)).toBe('36')
})

it('stores nothing readable with a passphrase, and restores only with it', async () => {
  const picture = await addPicture('secret')
  const { name, manifest } = await makeBackup('correct horse battery')
  const stored = await readFile(join(target, manifest.files[0] ?? ''))
  const into = join(root, 'restored')
  const restore = (passphrase: string | null) => restoreBackup({ from: join(target, name), into, passphrase })

  expect(stored.includes(picture.subarray(0, 64))).toBe(false)
  await expect(restore(null)).rejects.toThrow('are encrypted: set BACKUP_PASSPHRASE')
  await expect(restore('wrong')).rejects.toThrow('BACKUP_PASSPHRASE does not open the backups')
  await restore('correct horse battery')
  expect(await readFile(join(into, 'storage/objects/ab/secret'))).toEqual(picture)
})

it('finds a flipped byte, and refuses to restore from the damaged file', async () => {
  await addPicture('one')
  const { name, manifest } = await makeBackup()
  expect(await verifyBackups(target)).toEqual({ backups: 1, problems: [] })
  const path = join(target, name, manifest.database ?? '')
  const bytes = await readFile(path)
  bytes[5000] = (bytes[5000] ?? 0) ^ 1
  await writeFile(path, bytes)

  const into = join(root, 'restored')
  expect((await verifyBackups(target)).problems).toEqual([`${path} is missing or damaged`])
  await expect(restoreBackup({ from: target, into, passphrase: null })).rejects.toThrow(
    `${path} is missing or damaged: use another backup`,
  )
  expect(await readdir(into)).toEqual([])
})

it('copies a picture once for all backups', async () => {
  await addPicture('one')
  const first = await makeBackup()
  await addPicture('two')
  const second = await makeBackup()

  expect(await readdir(join(target, 'files/ab'))).toHaveLength(2)
  expect(first.manifest.files).toHaveLength(1)
  expect(second.manifest.files).toEqual(expect.arrayContaining(first.manifest.files))
})

it('refuses a backup into the data folder, and a restore into a folder with files', async () => {
  await expect(
    createBackup({ dataDir: shop, ...settings }, { folder: join(shop, 'backups'), passphrase: null }),
  ).rejects.toThrow('is in the data folder: choose one on another disk')
  await makeBackup()
  const full = join(root, 'full')
  await mkdir(full)
  await writeFile(join(full, 'note'), 'mine')

  await expect(restoreBackup({ from: target, into: full, passphrase: null })).rejects.toThrow(
    'is not empty: choose a new folder to restore into',
  )
  expect(await readdir(full)).toEqual(['note'])
})

it('lets one of two restores into the same folder through', async () => {
  await makeBackup()
  const into = join(root, 'restored')
  const restore = () => restoreBackup({ from: target, into, passphrase: null })

  const outcomes = await Promise.allSettled([restore(), restore()])

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await countRestored(into)).toBe('36')
})

it('says how far back the backups reach when an earlier moment is asked for, and how far forward for a later one', async () => {
  await makeBackup()

  await expect(restoreAsOf(new Date(Date.now() - 3_600_000))).rejects.toThrow('no backup reaches back to')
  await expect(restoreAsOf(new Date(Date.now() + 3_600_000))).rejects.toThrow(
    'leave --at out to restore the newest state',
  )
})

it('marks a restored folder as a copy until it is made live', async () => {
  await makeBackup()
  const into = join(root, 'restored')
  await restoreBackup({ from: target, into, passphrase: null })

  expect(await isRestoredCopy(into)).toBe(true)
  expect(await makeLive(into)).toBe(true)
  expect(await isRestoredCopy(into)).toBe(false)
  expect(await makeLive(into)).toBe(false)
})

it('marks a restored folder as a copy before it holds a database', async () => {
  await makeBackup()
  const into = join(root, 'restored')
  const restoring = restoreBackup({ from: target, into, passphrase: null })

  while (!existsSync(join(into, 'postgres'))) await pause(1)

  expect(await isRestoredCopy(into)).toBe(true)
  await restoring
})

it('archives the log although the newest backup is damaged', async () => {
  const { name, manifest } = await makeBackup()
  await damageManifest(name)
  await run(postgres, 'insert into orders values (37)')
  const segment = await run(postgres, 'select pg_walfile_name(pg_switch_wal())')

  const log = { info: () => undefined, error: () => undefined }
  const schedule = { folder: target, passphrase: null, everyHours: 24, log, pollMs: 20 }
  const kept = keepBackups({ dataDir: shop, ...settings }, schedule)

  await expect.poll(async () => (await listArchive(target, manifest.chain)).has(segment)).toBe(true)
  await kept.stop()
})

it('writes nothing outside the restored folder when a manifest names a file there', async () => {
  await addPicture('tiger')
  const { name } = await makeBackup()
  await rewriteManifest(name, (manifest) => ({
    ...manifest,
    files: manifest.files.map((path) => path.replace(/^files\/ab/, 'files/../../../../outside')),
  }))

  const restored = restoreBackup({ from: target, into: join(root, 'restored'), passphrase: null })

  await expect(restored).rejects.toThrow(/is not a manifest of this program/)
  expect(existsSync(join(root, 'outside'))).toBe(false)
})

it('restores from the backup before a damaged one, with the log since, and names the damaged one', async () => {
  const first = await makeBackup()
  await rename(join(target, first.name), join(target, '2026-01-01T00-00-00Z'))
  await run(postgres, 'insert into orders select generate_series(1, 5)')
  const { name } = await makeBackup()
  await archive()
  await damageManifest(name)

  const into = join(root, 'restored')
  const { skipped } = await restoreBackup({ from: target, into, passphrase: null })

  expect(skipped).toEqual([expect.stringMatching(`${name}/manifest.*is missing or damaged`)])
  expect(await countRestored(into)).toBe('41')
})

it('keeps the files and the log that a damaged backup may need', async () => {
  await addPicture('one')
  const { name } = await makeBackup()
  await archive()
  await damageManifest(name)
  await rm(join(shop, 'storage/objects/ab/one'))
  await makeBackup()

  await removeOldBackups(target)

  expect(await readdir(join(target, 'files/ab'))).toHaveLength(1)
})

it('removes what a killed backup left an hour ago, and log that belongs to no backup', async () => {
  const { name, manifest } = await makeBackup()
  await archive()
  const leftovers = ['2026-01-01T00-00-00Z.unfinished', 'files/ab/.killed.unfinished']
  const segment = `wal/former-shop/000000010000000000000001.${'0'.repeat(64)}.zst`
  const running = '2026-01-02T00-00-00Z.unfinished'
  for (const path of [
    ...leftovers.map((each) => `${each}/database.tar`),
    segment,
    `${running}/database.tar`,
  ]) {
    await mkdir(join(target, path, '..'), { recursive: true })
    await writeFile(join(target, path), 'partial')
  }
  const twoHoursAgo = new Date(Date.now() - 7_200_000)
  for (const path of leftovers.flatMap((each) => [`${each}/database.tar`, each]))
    await utimes(join(target, path), twoHoursAgo, twoHoursAgo)

  await removeOldBackups(target)

  expect((await readdir(target)).toSorted()).toEqual([name, running, 'files', 'wal'].toSorted())
  expect(await readdir(join(target, 'files/ab'))).toEqual([])
  expect(await readdir(join(target, 'wal'))).toEqual([manifest.chain])
})

it('gives up waiting log when the disk is nearly full, and makes a backup once the folder can be written again', async () => {
  await makeBackup()
  const spool = join(await dataPath(shop), SPOOL)
  await rename(target, `${target}.away`)
  await writeFile(target, 'not a folder')
  await run(postgres, 'insert into orders values (37)')
  await finishSegment()
  const waiting = await readdir(spool)
  for (const segment of waiting) await utimes(join(spool, segment), new Date(0), new Date(0))
  const logged: string[] = []
  const log = {
    info: (_: object, text: string) => void logged.push(text),
    error: (_: object, text: string) => void logged.push(text),
  }
  const schedule = { folder: target, passphrase: null, everyHours: 24, log, pollMs: 20, spaceOf }
  const kept = keepBackups({ dataDir: shop, ...settings }, schedule)
  await expect.poll(() => readdir(spool)).not.toEqual(expect.arrayContaining(waiting))

  await rm(target)
  await rename(`${target}.away`, target)
  await run(postgres, 'insert into orders values (38)')
  await finishSegment()
  await expect.poll(() => logged.at(-1)).toBe('made a backup')
  await kept.stop()

  expect(logged).toContainEqual(
    expect.stringContaining('no moment from now to the next backup can be restored'),
  )
})

it('makes a backup although a clock that was ahead dated one in the future, and then none until the next is due', async ({
  onTestFinished,
}) => {
  const { name } = await makeBackup()
  const ahead = '2999-01-01T00-00-00Z'
  await rename(join(target, name), join(target, ahead))
  let rounds = 0
  const schedule = {
    folder: target,
    passphrase: null,
    everyHours: 24,
    log: { info: () => undefined, error: () => undefined },
    pollMs: 20,
    spaceOf: async () => {
      rounds += 1
      return { level: 'ok' as const }
    },
  }

  const kept = keepBackups({ dataDir: shop, ...settings }, schedule)
  onTestFinished(() => kept.stop())
  await expect.poll(() => listBackups(target)).toHaveLength(2)
  const before = rounds
  await expect.poll(() => rounds).toBeGreaterThan(before + 10)
  await kept.stop()

  const today = new Date().toISOString().slice(0, 10)
  expect(await listBackups(target)).toEqual([ahead, expect.stringContaining(today)])
  expect((await newestBackup(target))?.name).toContain(today)
})

it('writes nothing to a folder that has lost its backups, as that of a drive that is not mounted', async ({
  onTestFinished,
}) => {
  const { name } = await makeBackup()
  const logged: string[] = []
  const log = {
    info: (_: object, text: string) => void logged.push(text),
    error: (fields: object, text: string) => void logged.push(`${text}: ${JSON.stringify(fields)}`),
  }
  const schedule = { folder: target, passphrase: null, everyHours: 24, log, pollMs: 20 }
  const start = () => keepBackups({ dataDir: shop, ...settings }, schedule)
  const before = start()
  await expect.poll(() => existsSync(join(shop, 'backup-folder'))).toBe(true)
  await before.stop()
  await rename(target, `${target}.away`)
  await mkdir(target)

  const kept = start()
  onTestFinished(() => kept.stop())
  await expect.poll(() => logged.length).toBe(2)
  const lost = `the backups in ${target} are gone: mount its drive, or delete ${join(shop, 'backup-folder')} to begin anew`
  expect(logged).toEqual([expect.stringContaining(lost), expect.stringContaining(lost)])
  await expect(makeBackup()).rejects.toThrow(lost)
  expect(await readdir(target)).toEqual([])

  await rm(target, { recursive: true })
  await rename(`${target}.away`, target)
  await expect.poll(() => logged).toContain('the backup works again')
  await kept.stop()
  expect(await listBackups(target)).toContain(name)
})

it('makes no backup on the database’s own disk while that is full, and makes one once there is room', async () => {
  let level: 'critical' | 'ok' = 'critical'
  const logged: string[] = []
  const log = {
    info: (_: object, text: string) => void logged.push(text),
    error: (fields: object, text: string) => void logged.push(`${text}: ${JSON.stringify(fields)}`),
  }
  const schedule = {
    folder: target,
    passphrase: null,
    everyHours: 24,
    log,
    pollMs: 20,
    spaceOf: async () => ({ level }),
  }

  const kept = keepBackups({ dataDir: shop, ...settings }, schedule)
  await expect.poll(() => logged.length).toBe(2)
  expect(logged).toEqual([
    expect.stringContaining('on the same one'),
    expect.stringContaining('on the same one'),
  ])
  expect(await listBackups(target)).toEqual([])

  level = 'ok'
  await expect.poll(() => logged).toContain('made a backup')
  await kept.stop()
  expect(await listBackups(target)).toHaveLength(1)
})

it('refuses to restore a backup of a newer version, and says with which version', async () => {
  const { name } = await makeBackup()
  await rewriteManifest(name, (manifest) => ({ ...manifest, format: 99 }))
  const into = join(root, 'restored')

  await expect(restoreBackup({ from: target, into, passphrase: null })).rejects.toThrow(
    new DatabaseProblem(
      `a newer version made the backup ${join(target, name)}: restore it with that version`,
    ),
  )
  expect(existsSync(into)).toBe(false)
})

it('refuses to restore from a folder without backups, and into the folder of the backups or a file', async () => {
  const into = join(root, 'restored')
  await expect(restoreInto(into, join(root, 'nothing'))).rejects.toThrow(
    `${join(root, 'nothing')} holds no backup: name a folder that npm run backup has written`,
  )
  expect(existsSync(into)).toBe(false)

  await makeBackup()
  const before = await readdir(target)
  await writeFile(into, 'mine')
  await expect(restoreInto(into)).rejects.toThrow(
    new DatabaseProblem(`${into} is not a folder that can be written: choose a new folder to restore into`),
  )
  expect(await readFile(into, 'utf8')).toBe('mine')

  await expect(restoreInto(join(target, 'restored'))).rejects.toThrow(
    new DatabaseProblem(
      `${join(target, 'restored')} is in the folder of the backups: choose a new folder to restore into`,
    ),
  )
  expect(await readdir(target)).toEqual(before)
})

it('refuses a full and a read-only folder to restore into, in one line, and leaves nothing there', async (test) => {
  await makeBackup()
  const into = join(root, 'restored')
  await mkdir(into)
  const mount = (options: string) =>
    promisify(execFile)('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', into])
  const isMounted = await mount('size=8m').then(
    () => true,
    () => false,
  )
  if (!isMounted && process.env.TEST_RUN !== 'long') test.skip('this user may not mount a small disk')
  expect(isMounted).toBe(true)
  const restore = () => restoreBackup({ from: target, into, passphrase: null })
  try {
    await expect(restore()).rejects.toThrow(
      new DatabaseProblem(`the disk of ${into} has no room for the copy: choose a folder on another disk`),
    )
    expect(await readdir(into)).toEqual([])

    await promisify(execFile)('mount', ['-o', 'remount,ro', into])
    await expect(restore()).rejects.toThrow(
      new DatabaseProblem(`${into} is not a folder that can be written: choose a new folder to restore into`),
    )
  } finally {
    await promisify(execFile)('umount', [into])
  }
})

it('refuses a full and a read-only target in one line, and changes nothing there', async (test) => {
  await addPicture('one')
  await mkdir(target)
  const mount = promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', target])
  const isMounted = await mount.then(
    () => true,
    () => false,
  )
  if (!isMounted && process.env.TEST_RUN !== 'long') test.skip('this user may not mount a small disk')
  expect(isMounted).toBe(true)
  try {
    await expect(makeBackup('correct horse battery')).rejects.toThrow(
      new DatabaseProblem(`the disk of the backup folder ${target} is full: free some space and try again`),
    )
    expect(await listBackups(target)).toEqual([])
    expect(
      (await readdir(target, { recursive: true })).filter((name) => name.includes('unfinished')),
    ).toEqual([])

    await promisify(execFile)('mount', ['-o', 'remount,ro', target])
    await expect(makeBackup()).rejects.toThrow(
      new DatabaseProblem(`the backup folder ${target} is not writable: choose one that is`),
    )
  } finally {
    await promisify(execFile)('umount', [target])
  }
})

it('leaves nothing behind when a backup fails', async () => {
  await makeBackup()
  await rename(join(shop, 'postgres.password'), join(shop, 'lost.password'))
  await expect(makeBackup()).rejects.toThrow()
  await rename(join(shop, 'lost.password'), join(shop, 'postgres.password'))

  expect(await listBackups(target)).toHaveLength(1)
  expect((await readdir(target)).filter((name) => name.includes('unfinished'))).toEqual([])
})

it('keeps the newest backup of seven days, four weeks and twelve months', () => {
  const days = Array.from({ length: 800 }, (_, day) =>
    new Date(Date.UTC(2025, 0, 1, 3) + day * 86_400_000).toISOString().slice(0, 10),
  )
  const names = days.flatMap((day) => [`${day}T03-00-00Z`, `${day}T15-00-00Z`])

  const kept = Array.from(backupsToKeep(names)).toSorted()

  // The newest two weeks and months have their backups among the days.
  expect(kept).toHaveLength(7 + 2 + 10)
  expect(kept.slice(-7)).toEqual(days.slice(-7).map((day) => `${day}T15-00-00Z`))
  expect(kept[0]?.slice(0, 10)).toBe('2026-04-30')
})
