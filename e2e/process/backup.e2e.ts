import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { countFor, findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { nodeEnvironment, nodeFlags } from '../../scripts/prepare.mjs'
import { type BuyerSession, checkOut, fillShelves, settingsFor, signUp } from './checkout.ts'

const SECONDS = countFor('BACKUP_SECONDS', { gate: 4, long: 40 })
/** A buyer may place 120 orders in an hour. */
const PAUSE_MS = Math.max(100, SECONDS * 20)
const project = resolve(import.meta.dirname, '../..')

let folder: string
let payfast: FakePayfast
let room: TestMailServer
let shop: RunningShop

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-backup-'))
  payfast = await fakePayfast()
  room = await startMailServer()
})
test.afterAll(async () => {
  await Promise.all([payfast.close(), room.close()])
  await rm(folder, { recursive: true, force: true })
})

async function runScript(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...nodeFlags, join(project, 'scripts', name), ...args],
    { env: { ...nodeEnvironment, ENV_FILE: devNull } },
  )
  return stdout
}

async function rowsOf(dataDir: string, sql: string): Promise<unknown[]> {
  const postgres = await findRunningPostgres(dataDir)
  if (!postgres) throw new Error('the database is not running')
  const client = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows.map(([value]: unknown[]) => value)
}

async function buyFor(seconds: number, buyers: BuyerSession[], first: number): Promise<void> {
  const until = Date.now() + seconds * 1000
  const acknowledged = { orders: [], paid: [] }
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let poppers = first; Date.now() < until || poppers === first; poppers += 1) {
        // oxlint-disable no-await-in-loop -- one checkout after the other
        await checkOut(buyer, { poppers: 1 + (poppers % 200), acknowledged, shop, payfast })
        await pause(PAUSE_MS)
        // oxlint-enable no-await-in-loop
      }
    }),
  )
}

test(
  'a backup made during purchases restores any later moment, with every picture, and the copy sends no mail',
  { tag: '@long' },
  async () => {
    test.setTimeout(180_000 + SECONDS * 4000)
    const backups = join(folder, 'backups')
    shop = await startShop({ ...settingsFor(payfast), SMTP_URL: room.url, BACKUP_TO: backups })
    await fillShelves(shop)
    const buyers = await Promise.all([signUp(shop), signUp(shop)])
    await buyFor(SECONDS, buyers, 1)
    await expect.poll(() => shop.output(), { timeout: 60_000 }).toContain('made a backup')
    room.behaviour = 'is busy'
    await buyFor(SECONDS, buyers, 70)
    const [orders] = await rowsOf(shop.dataDir, 'select count(*)::int from public.orders')
    const [moment] = await rowsOf(shop.dataDir, `select to_json(clock_timestamp())#>>'{}'`)
    await pause(20)
    await buyFor(1, buyers, 140)
    await shop.stop()
    const mails = (await room.received()).length

    const copy = join(folder, 'copy')
    await runScript('restore.ts', backups, '--into', copy, '--at', String(moment))
    room.behaviour = 'accepts'
    const restored = await startShop({ DATA_DIR: copy, SMTP_URL: room.url })
    try {
      expect(await rowsOf(copy, 'select count(*)::int from public.orders')).toEqual([orders])
      const versions = await rowsOf(copy, 'select version from storage.objects')
      const paths = versions.map((version) =>
        join(copy, 'storage/objects', String(version).slice(0, 2), String(version)),
      )
      expect(paths.filter((path) => !existsSync(path))).toEqual([])
      expect(versions.length).toBeGreaterThan(10)
      const page = await fetch(restored.url)
      expect(await page.text()).toContain(
        'This is a restored copy of the shop: it sends no e-mails and takes no payments.',
      )
      expect(await rowsOf(copy, 'select count(*)::int from public.mails where sent_at is null')).not.toEqual([
        0,
      ])
      await rowsOf(copy, 'update graphile_worker._private_jobs set run_at = now() returning id')
      expect(await fetch(`${restored.url}/products`)).toMatchObject({ status: 200 })
    } finally {
      await restored.stop()
    }
    expect((await room.received()).length).toBe(mails)
  },
)
