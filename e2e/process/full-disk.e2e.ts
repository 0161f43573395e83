import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { Client } from 'pg'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import { type TestMailServer, startMailServer } from '#test/mail-server.ts'
import { killPostgres, type RunningShop, startShop } from '#test/running-shop.ts'
import { delivery } from '#test/shopping.ts'
import {
  type BuyerSession,
  fillShelves,
  noticeFor,
  placeOrder,
  postNotice,
  settingsFor,
  signUp,
  staffOf,
} from './checkout.ts'

const MEBIBYTE = 1024 * 1024
const DISK_MEBIBYTES = 320
const MESSAGE = { name: 'Thandi', email: 'thandi@example.com', subject: 'Hooks', message: 'Which hooks fit?' }

let folder: string
let shop: RunningShop
let payfast: FakePayfast
let mails: TestMailServer

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-disk-'))
  await rm(folder, { recursive: true })
  payfast = await fakePayfast()
  mails = await startMailServer()
})
test.afterEach(async () => {
  await Promise.all([payfast.close(), mails.close()])
})

/** Mounts a small disk in memory; false where this user may not. */
function mountDisk(): boolean {
  try {
    execFileSync('mkdir', [folder])
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEBIBYTES}m,mode=711`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Leaves so many bytes free; 0 also takes what the shop frees in the meantime. */
async function fillDisk(leaving: number): Promise<void> {
  const ballast = join(folder, 'ballast')
  for (;;) {
    const excess = (await freeBytes()) - leaving
    if (excess <= 0) return
    const bytes = Math.min(excess, 8 * MEBIBYTE)
    const isFull = await appendFile(ballast, Buffer.alloc(bytes)).then(
      () => false,
      () => true,
    )
    if (isFull) return
  }
}

/** Mounts the disk and opens the shop on it, with buyers' shelves full. Returns whether this user may. */
async function openShopOnSmallDisk(settings: Record<string, string> = {}): Promise<void> {
  const isMounted = mountDisk()
  if (!isMounted && process.env.TEST_RUN === 'long')
    throw new Error('the long run must be allowed to mount a disk')
  test.skip(!isMounted, 'this user may not mount a disk')
  const own = { DATA_DIR: join(folder, 'data'), SMTP_URL: mails.url, ...settingsFor(payfast) }
  shop = await startShop({ ...own, ...settings })
  await fillShelves(shop)
}

async function closeShopAndDisk(): Promise<void> {
  await shop?.stop()
  execFileSync('umount', ['-l', folder])
  await rm(folder, { recursive: true })
}

async function inDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const postgres = await findRunningPostgres(shop.dataDir)
  const client = new Client({ connectionString: postgres ? postgresUrl(postgres, 'supabase_admin') : '' })
  // PostgreSQL may end while its log cannot grow.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

async function growUntilFull(client: Client): Promise<never> {
  await client.query('create table if not exists private.ballast (content text)')
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one write after the other
    await client.query(
      'insert into private.ballast select gen_random_uuid()::text from generate_series(1, 5000)',
    )
  }
}

/** Uses up what PostgreSQL has reserved: its tables can grow no more. */
async function exhaustDatabase(): Promise<void> {
  await expect(inDatabase(growUntilFull)).rejects.toThrow()
}

/** Repeats a write until the shop refuses it. Returns the results before, and the error. */
async function untilRefused<T>(write: () => Promise<T>): Promise<{ accepted: T[]; error: unknown }> {
  const accepted: T[] = []
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one write after the other
      accepted.push(await write())
    } catch (error) {
      return { accepted, error }
    }
  }
}

/** Another buyer orders and pays: a new order of the same one would replace it. Returns the order's id. */
async function buyAndPay(): Promise<string> {
  const buyer = await signUp(shop)
  const order = await placeOrder(buyer, 1)
  expect(await postNotice(shop, await noticeFor(buyer, order, payfast))).toBe(200)
  return order.id
}

/** Each cart differs: the same one again would be the same order. */
function ordersOf(buyer: BuyerSession): () => Promise<string> {
  let poppers = 2
  return async () => {
    poppers += 1
    return (await placeOrder(buyer, poppers)).id
  }
}

const readiness = () =>
  fetch(`${shop.url}/readyz`).then(
    ({ status }) => status,
    () => null,
  )
const linesAbout = (words: string) => shop.output().split(words).length - 1
const html = { headers: { accept: 'text/html' } }

test(
  'a shop on a full disk refuses in plain words, shows stored pages, and is ready within 30 seconds after space is freed',
  { tag: '@long' },
  async () => {
    test.setTimeout(180_000)
    try {
      await openShopOnSmallDisk()
      // A twentieth of the disk, but two segments at least: PostgreSQL's own default could fill a small disk.
      const logLimit = await inDatabase((client) =>
        client.query("select current_setting('max_wal_size') as size"),
      )
      expect(logLimit.rows).toEqual([{ size: '32MB' }])
      const buyer = await signUp(shop)
      const staff = await staffOf(shop)
      const paid = await noticeFor(buyer, await placeOrder(buyer, 1), payfast)
      expect(await postNotice(shop, paid)).toBe(200)
      // Another buyer's: a new order of the same one would replace it.
      const payer = await signUp(shop)
      const waiting = await placeOrder(payer, 1)
      const notice = await noticeFor(payer, waiting, payfast)
      const placed = [waiting.id]
      const statusOf = async (id: string) =>
        (await staff.from('orders').select('status').eq('id', id).single()).data?.status
      await expect.poll(async () => (await fetch(`${shop.url}/products`)).status).toBe(200)

      await test.step('orders and payment notices go on while the disk is nearly full, and uploads are refused', async () => {
        await fillDisk(24 * MEBIBYTE)
        const { error } = await staff.storage
          .from('site')
          .upload('hero/new.png', new Blob(['x'], { type: 'image/png' }))
        expect(error).toMatchObject({
          status: 507,
          message: 'We can’t store more files right now. Please try again later.',
        })
        expect((await staff.from('contact_submissions').insert(MESSAGE)).status).toBe(201)
        placed.push((await placeOrder(buyer, 2)).id, await buyAndPay())
      })
      await test.step('orders and payment notices go on while the rest of the disk is for them, and messages are refused', async () => {
        await fillDisk(8 * MEBIBYTE)
        const { status, error } = await staff.from('contact_submissions').insert(MESSAGE)
        expect([status, error?.message]).toEqual([
          507,
          'We can’t save this right now. Please try again later.',
        ])
        const paidLast = await buyAndPay()
        placed.push(paidLast)
        await expect.poll(() => statusOf(paidLast)).toBe('new')
      })
      await test.step('orders and payment notices are refused last, the order with a sentence', async () => {
        await fillDisk(0)
        await exhaustDatabase()
        const { accepted, error } = await untilRefused(ordersOf(buyer))
        placed.push(...accepted)
        expect(error).toMatchObject({ message: expect.stringMatching(/^We can’t .* Please try again/) })

        await expect.poll(() => postNotice(shop, paid), { intervals: [0] }).toBe(503)
        expect(await postNotice(shop, notice)).toBe(503)
      })
      await test.step('stored pages are shown while PostgreSQL cannot start, and everything else is refused politely', async () => {
        // PostgreSQL frees some space when it ends, and sometimes starts again.
        const killAndFill = async () => {
          await killPostgres(shop.dataDir).catch(() => undefined)
          await fillDisk(0)
          return shop.output()
        }
        await expect.poll(killAndFill, { intervals: [50] }).toContain('PostgreSQL does not start')

        const stored = await fetch(`${shop.url}/products`, html)
        expect([stored.status, stored.headers.get('cache-status')]).toEqual([
          200,
          expect.stringContaining('ttl=-1'),
        ])
        const search = await fetch(`${shop.url}/products?q=popper`, html)
        expect([search.status, search.headers.get('retry-after')]).toEqual([503, '10'])
        expect(await search.text()).toContain('Nothing in your cart is lost.')
        const call = await fetch(`${shop.url}/rest/v1/products`, {
          headers: { apikey: (await shop.keys()).publishable },
        })
        expect([call.status, call.headers.get('retry-after')]).toEqual([503, '10'])
        expect(await call.json()).toMatchObject({
          message: expect.stringMatching(/^We can’t reach our database/),
        })
        expect(await readiness()).toBe(503)
        expect(linesAbout('The database does not answer')).toBe(1)
      })
      await test.step('the shop is ready within 30 seconds after space is freed', async () => {
        await rm(join(folder, 'ballast'))
        await expect.poll(readiness, { timeout: 30_000, intervals: [200] }).toBe(200)
        expect((await buyer.client.from('cart_items').select()).error).toBeNull()
        expect((await fetch(`${shop.url}/products?q=popper`, html)).status).toBe(200)
      })
      await test.step('no order is lost, and the notice that PayFast repeats pays its order', async () => {
        const { data: kept } = await staff.from('orders').select('id').in('id', placed)
        expect(kept).toHaveLength(placed.length)
        expect(await statusOf(waiting.id)).toBe('pending_payment')
        expect(await postNotice(shop, notice)).toBe(200)
        await expect.poll(() => statusOf(waiting.id)).toBe('new')
      })
      await test.step('no line of the log, also of failed requests, names a buyer', async () => {
        const lines = shop.output()
        expect(lines).toContain('/payments/payfast/notice')
        const { full_name, email, phone, address } = delivery
        const { data } = await buyer.client.auth.getUser()
        const person = [full_name, email, phone, address, data.user?.email ?? '', MESSAGE.email]
        expect(person.filter((value) => lines.includes(value))).toEqual([])
      })
    } finally {
      await closeShopAndDisk()
    }
  },
)

const calls: string[] = []

/** Receives what the shop posts to `ALERT_URL` about its disk. */
async function openWebhook() {
  const webhook = createServer(async (request, response) => {
    const { component, state } = JSON.parse(await text(request))
    if (component === 'disk') calls.push(state)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}/`, close: () => webhook.close() }
}

async function diskAlerts(): Promise<{ mails: string[]; calls: string[] }> {
  const subjects = (await mails.received()).map(({ subject }) => subject ?? '')
  return { mails: subjects.filter((subject) => subject.includes('disk')), calls }
}

/** The checks run once a minute, and look at a problem again after 15 seconds. */
const ROUND_MS = 75_000

test('a disk that fills up sends the owner one alert by mail and webhook while orders and payments go on, and one all-clear after it was freed @long', async () => {
  test.setTimeout(15 * 60_000)
  const webhook = await openWebhook()
  try {
    await openShopOnSmallDisk({ ALERT_URL: webhook.url })
    await fillDisk(8 * MEBIBYTE)
    const alerted = { mails: ['Shop alert: disk'], calls: ['failed'] }
    await expect.poll(diskAlerts, { timeout: 2 * ROUND_MS }).toEqual(alerted)
    await buyAndPay()

    await fillDisk(0)
    await exhaustDatabase()
    // Other rounds look at the same disk, which PostgreSQL can no longer write to.
    await pause(2 * ROUND_MS)
    expect(await diskAlerts()).toEqual(alerted)

    await rm(join(folder, 'ballast'))
    await expect.poll(readiness, { timeout: 30_000 }).toBe(200)
    // As if the disk had had room for an hour.
    const hasWorkedForAnHour = () =>
      inDatabase(async (client) => {
        const { rowCount } = await client.query(
          `update private.alerts set ok_since = now() - interval '1 hour'
           where component = 'disk' and ok_since is not null and cleared_at is null`,
        )
        return rowCount
      })
    await expect.poll(hasWorkedForAnHour, { timeout: 2 * ROUND_MS, intervals: [1000] }).toBe(1)
    const both = { mails: ['Shop alert: disk', 'All clear: disk'], calls: ['failed', 'ok'] }
    await expect.poll(diskAlerts, { timeout: 2 * ROUND_MS }).toEqual(both)
    await pause(ROUND_MS)
    expect(await diskAlerts()).toEqual(both)
  } finally {
    await closeShopAndDisk()
    webhook.close()
  }
})
