import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { filesOf } from '#backend/storage/files/open-files.ts'
import { keepBackups } from './keep-backups.ts'
import { listBackups, newestBackup } from './manifest.ts'
import { backedUpShop } from './testing/backed-up-shop.ts'

const shop = backedUpShop()

it('makes a backup although a clock that was ahead dated one in the future, and then none until the next is due', async ({
  onTestFinished,
}) => {
  const { name } = await shop.makeBackup()
  const ahead = '2999-01-01T00-00-00Z'
  await rename(join(shop.target, name), join(shop.target, ahead))
  let rounds = 0
  const schedule = {
    folder: shop.target,
    passphrase: null,
    everyHours: 24,
    log: { info: () => undefined, error: () => undefined },
    pollMs: 20,
    spaceOf: async () => {
      rounds += 1
      return { level: 'ok' as const }
    },
  }

  const kept = keepBackups(shop.source, schedule)
  onTestFinished(() => kept.stop())
  await expect.poll(() => listBackups(shop.target)).toHaveLength(2)
  const before = rounds
  await expect.poll(() => rounds).toBeGreaterThan(before + 10)
  await kept.stop()

  const today = new Date().toISOString().slice(0, 10)
  expect(await listBackups(shop.target)).toEqual([ahead, expect.stringContaining(today)])
  expect((await newestBackup(shop.target))?.name).toContain(today)
})

it('writes nothing to a folder that has lost its backups, as that of a drive that is not mounted', async ({
  onTestFinished,
}) => {
  const { name } = await shop.makeBackup()
  const logged: string[] = []
  const log = {
    info: (_: object, text: string) => void logged.push(text),
    error: (fields: object, text: string) => void logged.push(`${text}: ${JSON.stringify(fields)}`),
  }
  const schedule = { folder: shop.target, passphrase: null, everyHours: 24, log, pollMs: 20 }
  const start = () => keepBackups(shop.source, schedule)
  const before = start()
  await expect.poll(() => existsSync(join(shop.source.dataDir, 'backup-folder'))).toBe(true)
  await before.stop()
  await rename(shop.target, `${shop.target}.away`)
  await mkdir(shop.target)

  const kept = start()
  onTestFinished(() => kept.stop())
  await expect.poll(() => logged.length).toBe(2)
  const lost = `the backups in ${shop.target} are gone: mount its drive, or delete ${join(shop.source.dataDir, 'backup-folder')} to begin anew`
  expect(logged).toEqual([expect.stringContaining(lost), expect.stringContaining(lost)])
  await expect(shop.makeBackup()).rejects.toThrow(lost)
  expect(await readdir(shop.target)).toEqual([])

  await rm(shop.target, { recursive: true })
  await rename(`${shop.target}.away`, shop.target)
  await expect.poll(() => logged).toContain('the backup works again')
  await kept.stop()
  expect(await listBackups(shop.target)).toContain(name)
})

it('makes no backup on the database’s own disk while that is full, and makes one once there is room', async ({
  onTestFinished,
}) => {
  let level: 'critical' | 'ok' = 'critical'
  const logged: string[] = []
  const log = {
    info: (_: object, text: string) => void logged.push(text),
    error: (fields: object, text: string) => void logged.push(`${text}: ${JSON.stringify(fields)}`),
  }
  const schedule = {
    folder: shop.target,
    passphrase: null,
    everyHours: 24,
    log,
    pollMs: 20,
    spaceOf: async () => ({ level }),
  }

  const kept = keepBackups(shop.source, schedule)
  onTestFinished(() => kept.stop())
  await expect.poll(() => logged.length).toBe(2)
  expect(logged).toEqual([
    expect.stringContaining('on the same one'),
    expect.stringContaining('on the same one'),
  ])
  expect(await listBackups(shop.target)).toEqual([])

  level = 'ok'
  await expect.poll(() => logged).toContain('made a backup')
  await kept.stop()
  expect(await listBackups(shop.target)).toHaveLength(1)
})

it('removes what killed backups left before it makes a backup, which may need that room', async ({
  onTestFinished,
}) => {
  const leftover = join(shop.target, '2026-01-01T00-00-00Z.unfinished')
  await mkdir(leftover, { recursive: true })
  const killedAt = new Date(Date.now() - 2 * 3_600_000)
  await utimes(leftover, killedAt, killedAt)
  const logged: string[] = []
  const log = { info: () => undefined, error: (_: object, text: string) => void logged.push(text) }
  const files = {
    ...filesOf(shop.source.dataDir),
    keys() {
      throw new Error('The disk is full')
    },
  }

  const schedule = { folder: shop.target, passphrase: null, everyHours: 24, log, pollMs: 20 }
  const kept = keepBackups({ ...shop.source, files }, schedule)
  onTestFinished(() => kept.stop())
  await expect.poll(() => logged).toContain('the backup failed')

  expect(existsSync(leftover)).toBe(false)
})

it('makes a backup although it cannot clean the folder, and says so', async ({ onTestFinished }) => {
  await mkdir(shop.target)
  // Answers with an error, as a folder of another user does; root may open that one.
  await symlink('wal', join(shop.target, 'wal'))
  const logged: string[] = []
  const log = {
    info: (_: object, text: string) => void logged.push(text),
    error: (fields: object, text: string) => void logged.push(`${text}: ${JSON.stringify(fields)}`),
  }

  const schedule = { folder: shop.target, passphrase: null, everyHours: 24, log, pollMs: 20 }
  const kept = keepBackups(shop.source, schedule)
  onTestFinished(() => kept.stop())
  await expect.poll(() => logged).toContain('made a backup')
  await kept.stop()

  expect(await listBackups(shop.target)).toHaveLength(1)
  const problem = `${join(shop.target, 'wal')} cannot be read (ELOOP)`
  expect(logged).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`cleaning the backup folder failed: {"reason":"${problem}`),
      expect.stringContaining(`removing old backups failed: {"reason":"${problem}`),
    ]),
  )
})

it('repeats a failed backup after ten minutes, not in the next round, also when the clock is set back', async ({
  onTestFinished,
}) => {
  const root = await mkdtemp(join(tmpdir(), 'keep-backups-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const dataDir = join(root, 'data')
  await mkdir(dataDir)
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let [attempts, rounds] = [0, 0]
  const bucket = {
    ...filesOf(dataDir),
    // Read by the step after the backup.
    get kind() {
      rounds += 1
      return 's3' as const
    },
    keys() {
      attempts += 1
      throw new Error('The bucket does not answer')
    },
  }
  const source = {
    dataDir,
    files: bucket,
    databaseUrl: 'postgres://nowhere',
    version: '1',
    environment: {},
  }
  const kept = keepBackups(source, {
    folder: join(root, 'backups'),
    passphrase: null,
    everyHours: 24,
    log: { error: () => undefined, info: () => undefined },
    pollMs: 1,
    spaceOf: async () => ({ level: 'ok' as const }),
  })
  onTestFinished(() => kept.stop())
  const passRounds = () => {
    const before = rounds
    return vi.waitFor(() => expect(rounds).toBeGreaterThan(before + 5), 10_000)
  }

  await passRounds()
  vi.setSystemTime(Date.now() - 86_400_000)
  vi.advanceTimersByTime(590_000)
  await passRounds()
  expect(attempts).toBe(1)

  vi.advanceTimersByTime(10_001)
  await passRounds()
  expect(attempts).toBe(2)
})

it('ends a running backup at a stop, and leaves nothing of it', async ({ onTestFinished }) => {
  const root = await mkdtemp(join(tmpdir(), 'keep-backups-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const [dataDir, folder] = [join(root, 'data'), join(root, 'backups')]
  await mkdir(dataDir)
  const logged: string[] = []
  const endless = {
    ...filesOf(dataDir),
    kind: 's3' as const,
    async *keys() {
      yield 'objects/ab/film'
    },
    async read() {
      return new ReadableStream<Uint8Array>({
        async pull(film) {
          await pause(5)
          film.enqueue(new Uint8Array(1024))
        },
      })
    },
  }
  const kept = keepBackups(
    { dataDir, files: endless, databaseUrl: 'postgres://nowhere', version: '1', environment: {} },
    {
      folder,
      passphrase: null,
      everyHours: 24,
      log: { error: (_, text) => void logged.push(text), info: (_, text) => void logged.push(text) },
      spaceOf: async () => ({ level: 'ok' as const }),
    },
  )
  const written = () => readdir(folder, { recursive: true })
  await expect.poll(written).toContainEqual(expect.stringMatching(/\.unfinished$/))

  await kept.stop()

  expect((await written()).toSorted()).toEqual(['files', 'files/ab'])
  expect(logged).toEqual([])
})
