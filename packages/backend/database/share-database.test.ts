import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findSharedPostgres } from './embedded.ts'
import { claimDataFolder, openStore } from './open-store.ts'
import { shareDatabase } from './share-database.ts'

const quietLog = pino({ level: 'silent' })

let dataDir: string
let shared: { stop(): Promise<void> } | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'shared-database-'))
})
afterAll(async () => {
  await shared?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const place = () => ({ databaseUrl: null, dataDir })

/** Polls until PostgreSQL accepts connections again. */
async function portOnceReady(): Promise<number> {
  for (;;) {
    // oxlint-disable no-await-in-loop -- polls
    const address = await findSharedPostgres(dataDir)
    if (address) return address.port
    await pause(20)
    // oxlint-enable no-await-in-loop
  }
}

it('lets several processes open the data folder of a shared database, which keeps its port after a crash', async () => {
  const application: Parameters<typeof openStore>[1] = {
    sourceFor: () => {
      throw new Error('not needed')
    },
    release: { version: '1.0.0', compatibleFrom: '1.0.0' },
    finish: async () => {},
  }
  await expect(openStore({ ...place(), usesSharedDatabase: true }, application, quietLog)).rejects.toThrow(
    `no process shares the database in ${dataDir}: start npm run database first`,
  )

  shared = await shareDatabase(place(), quietLog)
  const port = await portOnceReady()
  await expect(claimDataFolder(place())).resolves.toBeUndefined()
  await expect(shareDatabase(place(), quietLog)).rejects.toThrow('is in use by another process')

  const pid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  process.kill(pid, 'SIGKILL')
  while (
    Number.parseInt(
      await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => String(pid)),
      10,
    ) === pid
  ) {
    // oxlint-disable-next-line no-await-in-loop -- polls
    await pause(20)
  }
  expect(await portOnceReady()).toBe(port)

  await shared.stop()
  shared = await shareDatabase(place(), quietLog)
  expect(await portOnceReady()).toBe(port)
})
