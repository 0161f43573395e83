import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import * as fc from 'fast-check'
import { Pool } from 'pg'
import { countFor, type EmbeddedPostgres, postgresUrl, startPostgres } from '@saltfreak/backend/testing'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import { findBrokenSums } from '#test/ledger/sums.ts'
import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { type Acknowledged, checkOut, fillShelves, settingsFor, signUp } from './checkout.ts'
import { expectMailsOnce, JOBS_AT_ONCE } from './expect-mails-once.ts'

const KILLS = countFor('KILLS', { gate: 2, long: 100 })
const SEED = Number(process.env.KILLS_SEED ?? Date.now() % 2 ** 31)
const BUYERS = 4
const REQUESTS_OF_A_CHECKOUT = 6
/** The length of a life in requests, and a pause for their jobs. */
const lives = fc.record({ requests: fc.integer({ min: 1, max: 40 }), moment: fc.nat({ max: 60 }) })

let folder: string
let postgres: EmbeddedPostgres
let ledger: Pool
let payfast: FakePayfast
let room: TestMailServer
let shop: RunningShop

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-kills-'))
  postgres = await startPostgres(join(folder, 'postgres'))
  ledger = new Pool({ connectionString: postgresUrl(postgres, 'supabase_admin'), max: 2 })
  // `end` does not wait for the sockets, so a closing one can still receive PostgreSQL's shutdown error.
  ledger.on('error', () => undefined)
  ledger.on('connect', (client) => client.on('error', () => undefined))
  payfast = await fakePayfast()
  room = await startMailServer()
})
test.afterEach(() => shop.stop())
test.afterAll(async () => {
  await ledger.end()
  await Promise.all([payfast.close(), room.close(), postgres.stop()])
  await rm(folder, { recursive: true, force: true })
})

test(`a server killed at ${KILLS} random moments of a purchase loses and repeats nothing`, async () => {
  test.setTimeout(Math.max(120_000, 60_000 + KILLS * 9000))
  test.info().annotations.push({ type: 'seed', description: String(SEED) })
  shop = await open()
  await fillShelves(shop)
  const acknowledged: Acknowledged = { orders: [], paid: [] }
  const killing = new AbortController()
  const traffic = countedTraffic()
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop, traffic.send)))

  const buying = Promise.all(
    buyers.map(async (buyer) => {
      for (let done = 0; !killing.signal.aborted; done += 1) {
        const options = { poppers: 1 + (done % 9), acknowledged, shop, payfast }
        // The buyer retries calls that the killed shop did not acknowledge.
        // oxlint-disable-next-line no-await-in-loop -- one checkout after the other
        await checkOut(buyer, options).catch(() => pause(20))
      }
    }),
  )
  for (const { requests, moment } of fc.sample(lives, { numRuns: KILLS, seed: SEED })) {
    // oxlint-disable no-await-in-loop -- one kill after the other
    await traffic.after(requests)
    await pause(moment)
    shop.process.kill('SIGKILL')
    await once(shop.process, 'exit')
    shop = await open({ PORT: new URL(shop.url).port, DATA_DIR: shop.dataDir })
    // oxlint-enable no-await-in-loop
  }
  // However early the kills came, some checkouts are completed.
  await traffic.after(BUYERS * REQUESTS_OF_A_CHECKOUT * 2)
  killing.abort()
  await buying

  await expect
    .poll(sumsHoursLater, { message: `seed ${SEED}`, timeout: 60_000, intervals: [500] })
    .toEqual({})
  expect(await missing(acknowledged), `seed ${SEED}`).toEqual([])
  await expectEachMailOnce()
  console.log(
    `${acknowledged.orders.length} orders, ${acknowledged.paid.length} paid, ${KILLS} kills, seed ${SEED}`,
  )
})

test(
  'a server killed while it sends mails sends each of them once more, with the same Message-ID',
  { tag: '@long' },
  async () => {
    shop = await open()
    await fillShelves(shop)
    await expect.poll(sumsHoursLater).toEqual({})
    const acknowledged: Acknowledged = { orders: [], paid: [] }
    const earlier = await countMails()
    room.empty()
    const held = room.hold()
    for (let orders = 0; orders < JOBS_AT_ONCE; orders += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one checkout after the other
      await checkOut(await signUp(shop), { poppers: 1, acknowledged, shop, payfast })
    }
    await expect.poll(held.count).toBe(JOBS_AT_ONCE)

    shop.process.kill('SIGKILL')
    await once(shop.process, 'exit')
    held.release()
    shop = await open({ PORT: new URL(shop.url).port, DATA_DIR: shop.dataDir })

    await expect.poll(sumsHoursLater, { timeout: 60_000, intervals: [500] }).toEqual({})
    const mails = (await countMails()) - earlier
    const received = (await room.received()).map(({ messageId }) => messageId)
    expectMailsOnce(received, { mails, kills: 1 })
    expect(received).toHaveLength(mails + JOBS_AT_ONCE)
  },
)

/** Counts requests, so that a kill interrupts work on slow and fast machines alike. */
function countedTraffic() {
  let sent = 0
  const waiting = new Set<() => void>()
  return {
    send: async (...request: Parameters<typeof fetch>) => {
      sent += 1
      for (const look of waiting) look()
      return fetch(...request)
    },
    after: (requests: number) =>
      new Promise<void>((resolve) => {
        const last = sent + requests
        const look = () => {
          if (sent < last) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      }),
  }
}

/** Ends the backoff of all jobs before it reads the sums. */
async function sumsHoursLater(): Promise<Record<string, unknown>> {
  await ledger.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_by is null',
  )
  return findBrokenSums(ledger)
}

function open(env: Record<string, string> = {}): Promise<RunningShop> {
  return startShop({
    ...settingsFor(payfast),
    DATABASE_URL: postgresUrl(postgres, 'supabase_admin'),
    SMTP_URL: room.url,
    ...env,
  })
}

/** Acknowledged orders and payments that are missing or differ from the response. */
async function missing({ orders, paid }: Acknowledged): Promise<unknown[]> {
  expect(paid.length).toBeGreaterThan(KILLS / 4)
  const { rows } = await ledger.query(
    `select said.id from jsonb_to_recordset($1) as said (id uuid, lines int, total numeric)
     left join public.orders o on o.id = said.id
     where o.id is null or o.total_amount <> said.total
       or said.lines <> (select count(*) from public.order_items i where i.order_id = o.id)
     union all
     select paid.id from unnest($2::uuid[]) as paid (id)
     where not exists (select from public.orders o where o.id = paid.id and o.paid_at is not null)`,
    [JSON.stringify(orders), paid],
  )
  return rows
}

async function countMails(): Promise<number> {
  const { rows } = await ledger.query<{ mails: number }>('select count(*)::int as mails from public.mails')
  return rows[0]?.mails ?? 0
}

async function expectEachMailOnce(): Promise<void> {
  const received = (await room.received()).map(({ messageId }) => messageId)
  const { rows } = await ledger.query<{ mails: number; occasions: number }>(
    'select count(*)::int as mails, count(distinct key)::int as occasions from public.mails',
  )
  expect(rows[0]?.occasions).toBe(rows[0]?.mails)
  expectMailsOnce(received, { mails: rows[0]?.mails ?? 0, kills: KILLS })
}
