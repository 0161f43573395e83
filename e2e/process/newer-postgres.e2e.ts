import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { freePort, launchProgram, waitForOutput } from '@saltfreak/backend/testing'
import { unpackShop } from '#test/lived-in-shop/archive.ts'
import { startShop } from '#test/running-shop.ts'

const project = resolve(import.meta.dirname, '../..')
const RELEASE = join(project, 'supabase/releases/1.0.0/shop.tar.zst')
/** Milliseconds from the beginning of the move. */
const KILLS = [0, 200, 500, 900, 1400, 2000]

/** Used shops of PostgreSQL 17, with this version's tables. */
let prepared: string
let folder: string
test.beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'shop-of-17-'))
  await unpackShop(RELEASE, prepared)
  const shop = await startShop({ DATA_DIR: prepared })
  await shop.stop()
  expect(await majorOf(prepared)).toBe('17')
})
test.afterAll(() => rm(prepared, { recursive: true, force: true }))
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-to-18-'))
  await chmod(folder, 0o711)
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder])
})
test.afterEach(() => rm(folder, { recursive: true, force: true }))

async function majorOf(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).trim()
}

function launch(program: string, env: Record<string, string>) {
  return launchProgram({
    folder: project,
    args: [join(project, program)],
    env: { ENV_FILE: devNull, DATA_DIR: folder, ...env },
  })
}

function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    ({ status }) => status,
    () => null,
  )
}

test(
  'a shop whose database moves to a newer PostgreSQL is alive and not ready meanwhile, and then opens',
  { tag: '@long' },
  async () => {
    const port = String(await freePort())
    const seen = new Set<string>()
    const opening = startShop({ DATA_DIR: folder, PORT: port })
    const opened = { isTrue: false }
    void opening.finally(() => (opened.isTrue = true))
    while (!opened.isTrue) {
      // oxlint-disable no-await-in-loop -- polls
      const alive = await statusOf(`http://localhost:${port}/healthz`)
      if (alive) seen.add(`${alive} ${await statusOf(`http://localhost:${port}/readyz`)}`)
      await pause(20)
      // oxlint-enable no-await-in-loop
    }
    const shop = await opening
    try {
      expect(seen).toContain('200 503')
      expect(await statusOf(`${shop.url}/readyz`)).toBe(200)
      expect(shop.output()).toContain('opens once its database has moved to a newer PostgreSQL')
      expect(await majorOf(folder)).toBe('18')
    } finally {
      await shop.stop()
    }
  },
)

test(
  'a shop that is killed while its database moves to a newer PostgreSQL opens at its next start',
  { tag: '@long' },
  async () => {
    test.setTimeout(180_000)
    // oxlint-disable no-await-in-loop -- one start after the other
    for (const killAfterMs of KILLS) {
      const { process: shop, output } = launch('server.ts', { PORT: String(await freePort()) })
      const ended = once(shop, 'close')
      await Promise.race([waitForOutput(shop, /Moving the database/), ended])
      await pause(killAfterMs)
      shop.kill('SIGKILL')
      await ended
      expect(output(), `killed after ${killAfterMs} ms`).not.toContain('stays on PostgreSQL')
    }
    // oxlint-enable no-await-in-loop
    const shop = await startShop({ DATA_DIR: folder })
    try {
      expect(await majorOf(folder)).toBe('18')
      expect(await statusOf(`${shop.url}/products`)).toBe(200)
    } finally {
      await shop.stop()
    }
  },
)

test(
  'a database that runs for several shops moves to a newer PostgreSQL before they open',
  { tag: '@long' },
  async () => {
    const { process: database } = launch('scripts/database.ts', {})
    const ended = once(database, 'close')
    expect(await Promise.race([waitForOutput(database, /is running/), ended.then(() => false)])).toBe(true)
    const shop = await startShop({ DATA_DIR: folder, SHARED_DATABASE: 'true' })
    try {
      expect(await majorOf(folder)).toBe('18')
      expect(await statusOf(`${shop.url}/readyz`)).toBe(200)
    } finally {
      await shop.stop()
      database.kill('SIGTERM')
      await ended
    }
  },
)
