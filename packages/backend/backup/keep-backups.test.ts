import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'

import { filesOf } from '#backend/storage/files/open-files.ts'
import { keepBackups } from './keep-backups.ts'

it('repeats a failed backup after ten minutes, not in the next round', async ({ onTestFinished }) => {
  const root = await mkdtemp(join(tmpdir(), 'keep-backups-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const dataDir = join(root, 'data')
  await mkdir(dataDir)
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let [attempts, rounds] = [0, 0]
  const bucket = {
    ...filesOf(dataDir),
    kind: 's3' as const,
    keys() {
      attempts += 1
      throw new Error('The bucket does not answer')
    },
  }
  const source = {
    dataDir,
    files: bucket,
    // Read in each round, to find out whether a backup is due.
    get databaseUrl() {
      rounds += 1
      return 'postgres://nowhere'
    },
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
  vi.setSystemTime(Date.now() + 590_000)
  await passRounds()
  expect(attempts).toBe(1)

  vi.setSystemTime(Date.now() + 10_001)
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
