import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { Pool } from 'pg'
import { countFor, findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import type { InstalledShop } from '#test/installed-shop.ts'
import { findBrokenSums } from '#test/ledger/sums.ts'
import { startMailServer } from '#test/mail-server.ts'
import { delivery, popper, stickBait } from '#test/shopping.ts'
import { answered, type BuyerSession, fillShelves, settingsFor, signUp } from './checkout.ts'
import { requireProxy, withShop } from './shop-behind-proxy.ts'

const PROCESSES = 3
const KILLS = countFor('PROCESS_KILLS', { gate: 5, long: 30 })
const BETWEEN_KILLS_MS = 3000
const BUYERS = 8
/** A buyer may place 120 orders in an hour. */
const PAUSE_MS = (KILLS * BETWEEN_KILLS_MS) / 100

interface Purchases {
  /** Orders whose notice the shop acknowledged. */
  paid: string[]
  /** Calls that broke off or were refused, and were repeated. */
  repeated: number
}

test(
  `${PROCESSES} processes behind nginx, one of which is killed every few seconds, lose and repeat no purchase`,
  { tag: '@long' },
  async () => {
    requireProxy('nginx')
    test.setTimeout(120_000 + KILLS * BETWEEN_KILLS_MS * 3)
    const [payfast, mails] = await Promise.all([fakePayfast(), startMailServer()])
    const settings = { ...settingsFor(payfast), SMTP_URL: mails.url, PROCESSES: String(PROCESSES) }
    await withShop({ proxy: 'nginx', settings }, async (shop) => {
      const { installed } = shop
      const log = () => installed.log(`saltfreak@${installed.ports[0]}`)
      // All processes are ready then; /readyz answers as soon as one is.
      await expect.poll(log).toContain('is open at')
      await fillShelves(shop)
      const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop)))
      const done: Purchases = { paid: [], repeated: 0 }
      const closing = new AbortController()
      const pages = { 200: 0, others: 0 }
      const buying = buyers.map(async (buyer) => {
        for (let turn = 0; !closing.signal.aborted; turn += 1) {
          // oxlint-disable no-await-in-loop -- one purchase after the other
          await buy(buyer, { poppers: 1 + (turn % 9), url: shop.url, payfast, done })
          const status = await fetch(`${shop.url}/products?q=${turn}`).then(
            async (page) => (await page.text(), page.status),
            () => 0,
          )
          pages[status === 200 ? 200 : 'others'] += 1
          await pause(PAUSE_MS)
          // oxlint-enable no-await-in-loop
        }
      })
      for (let kills = 0; kills < KILLS;) {
        // oxlint-disable no-await-in-loop -- one kill after the other
        await pause(BETWEEN_KILLS_MS)
        const [victim] = await childrenOf(installed)
        if (victim) process.kill(victim, 'SIGKILL')
        kills += victim ? 1 : 0
        // oxlint-enable no-await-in-loop
      }
      closing.abort()
      await Promise.all(buying)

      await expectEachOnce(installed, done, async () =>
        (await mails.received()).map(({ messageId }) => messageId),
      )
      expect((await log()).match(/"reason":"ended by SIGKILL"/g)).toHaveLength(KILLS)
      expect(done.repeated).toBeGreaterThan(0)
      console.log(
        `${done.paid.length} purchases, ${KILLS} kills, ${done.repeated} calls repeated, ${pages[200]} pages, ${pages.others} of them failed`,
      )
    })
    await Promise.all([payfast.close(), mails.close()])
  },
)

/** Every acknowledged payment is one stored order, paid once, whose mails arrived once. */
async function expectEachOnce(
  { dataDir }: InstalledShop,
  { paid }: Purchases,
  receivedIds: () => Promise<(string | undefined)[]>,
): Promise<void> {
  const postgres = await findRunningPostgres(dataDir)
  if (!postgres) throw new Error('the database is not running')
  const ledger = new Pool({ connectionString: postgresUrl(postgres, 'supabase_admin'), max: 2 })
  const sumsAfterRetries = async () => {
    // Ends the pauses of jobs that failed with their process.
    await ledger.query(
      'update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_by is null',
    )
    return findBrokenSums(ledger)
  }
  await expect.poll(sumsAfterRetries, { timeout: 60_000, intervals: [500] }).toEqual({})
  const { rows } = await ledger.query<Record<string, number>>(
    `select (select count(*)::int from public.orders) as stored,
       (select count(*)::int from public.orders where paid_at is not null and id = any ($1)) as paid,
       (select count(distinct order_id)::int from public.payments) as "ordersWithPayment",
       (select count(*)::int from public.payments) as payments,
       (select count(*)::int from public.mails where key like 'order-confirmation:%' and status = 'sent') as mailed,
       (select count(*)::int from public.mails) as mails`,
    [paid],
  )
  await ledger.end()
  const purchases = new Set(paid).size
  expect(paid.length).toBe(purchases)
  expect(purchases).toBeGreaterThan(KILLS)
  const { mails, ...counts } = rows[0] ?? {}
  expect(counts).toEqual({
    stored: purchases,
    paid: purchases,
    ordersWithPayment: purchases,
    payments: purchases,
    mailed: purchases,
  })
  // A kill between the mail server's response and our record sends a mail again with the same Message-ID, which a mailbox shows once.
  const received = await receivedIds()
  expect(new Set(received).size).toBe(mails)
  expect(received.length - new Set(received).size).toBeLessThanOrEqual(KILLS)
}

interface Purchase {
  poppers: number
  url: string
  payfast: FakePayfast
  done: Purchases
}

/** Buys and pays as the browser and PayFast do, who repeat what was not acknowledged. */
async function buy(
  { client, userId }: BuyerSession,
  { poppers, url, payfast, done }: Purchase,
): Promise<void> {
  async function untilAcknowledged<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        return await call()
      } catch {
        done.repeated += 1
        // oxlint-disable-next-line no-await-in-loop
        await pause(100)
      }
    }
  }
  const lines = [stickBait, { ...popper, quantity: poppers }].map((line) => ({ user_id: userId, ...line }))
  const subtotal = stickBait.price + popper.price * poppers
  const attempt = {
    idempotency_key: crypto.randomUUID(),
    delivery,
    expected_total: subtotal >= 1500 ? subtotal : subtotal + 100,
  }
  await untilAcknowledged(async () => {
    await answered(client.from('cart_items').delete().eq('user_id', userId).select())
    await answered(client.from('cart_items').insert(lines).select())
  })
  const order: { id: string; total_amount: number } = await untilAcknowledged(() =>
    answered(client.rpc('place_order', attempt).single()),
  )
  const { paymentData } = await untilAcknowledged(async () => {
    const body = { orderId: order.id, amount: order.total_amount }
    const { data, error } = await client.functions.invoke('generate-payfast-payment', { body })
    if (error) throw error
    return data
  })
  const notice = payfast.notice({ m_payment_id: paymentData.m_payment_id, amount_gross: paymentData.amount })
  await untilAcknowledged(async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status } = await fetch(`${url}/payments/payfast/notice`, {
      method: 'POST',
      headers,
      body: notice,
    })
    if (status !== 200) throw new Error(`the notice was answered ${status}`)
  })
  done.paid.push(order.id)
}

/** The process ids of the shop's children, in random order. */
async function childrenOf({ home, ports }: InstalledShop): Promise<number[]> {
  const supervisor = (await readFile(join(home, 'run', `saltfreak@${ports[0]}.pid`), 'utf8')).trim()
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent]) => parent === supervisor)
    .map(([pid]) => Number(pid))
    .toSorted(() => Math.random() - 0.5)
}
