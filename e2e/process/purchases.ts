import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, expect, type Page } from '@playwright/test'
import { Pool } from 'pg'
import type { FakePayfast } from '#test/fake-payfast.ts'
import { findBrokenSums } from '#test/ledger/sums.ts'
import type { ReachableShop } from '#test/running-shop.ts'
import { delivery, popper, stickBait } from '#test/shopping.ts'
import { intercept } from '../fixtures/intercept.ts'
import { acceptTerms, openCheckout } from '../fixtures/signed-in.ts'
import { answered, type BuyerSession } from './checkout.ts'
import { expectMailsOnce } from './expect-mails-once.ts'

interface Purchases {
  /** Orders whose notice the shop acknowledged. */
  paid: string[]
  /** Calls that broke off or were refused, and were repeated. */
  repeated: number
}

interface Evidence {
  databaseUrl: string
  /** How many processes were killed. */
  kills: number
  /** The Message-IDs that the mail server has received. */
  receivedIds: () => Promise<(string | undefined)[]>
}

/** Every acknowledged payment is one stored order, paid once, whose mails arrived once. */
export async function expectEachOnce(
  { paid }: Purchases,
  { databaseUrl, kills, receivedIds }: Evidence,
): Promise<void> {
  const ledger = new Pool({ connectionString: databaseUrl, max: 2 })
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
  expect(purchases).toBeGreaterThan(kills)
  const { mails, ...counts } = rows[0] ?? {}
  expect(counts).toEqual({
    stored: purchases,
    paid: purchases,
    ordersWithPayment: purchases,
    payments: purchases,
    mailed: purchases,
  })
  expectMailsOnce(await receivedIds(), { mails: mails ?? 0, kills })
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

/** Of a buyer, who may place 120 orders in an hour. */
const PURCHASES_AT_MOST = 110
/** At the browser, where each is another customer: sign-ups from one address are limited. */
const VISITS_AT_MOST = 20

interface Crowd {
  shop: ReachableShop
  payfast: FakePayfast
  browser: Browser
  /** Who buy over the API. One more buys at a browser. */
  buyers: BuyerSession[]
  /** Between two purchases of a buyer. */
  pauseMs: number
}

interface Trade {
  done: Purchases
  /** By the status of the answer; 0 is none. */
  pages: Map<number, number>
  /** Lets everyone finish what they have begun. */
  end(this: void): Promise<void>
}

/** Lets buyers purchase and read pages, until `end`. */
export function trade({ shop, payfast, browser, buyers, pauseMs }: Crowd): Trade {
  const done: Purchases = { paid: [], repeated: 0 }
  const pages = new Map<number, number>()
  const closing = new AbortController()
  async function read(path: string): Promise<void> {
    const status = await fetch(`${shop.url}${path}`).then(
      async (page) => (await page.text(), page.status),
      () => 0,
    )
    pages.set(status, (pages.get(status) ?? 0) + 1)
  }
  const buying = buyers.map(async (buyer) => {
    for (let turn = 0; turn < PURCHASES_AT_MOST && !closing.signal.aborted; turn += 1) {
      // oxlint-disable no-await-in-loop -- one purchase after the other
      await buy(buyer, { poppers: 1 + (turn % 9), url: shop.url, payfast, done })
      await read(`/products?q=${turn}`)
      await pause(pauseMs)
      // oxlint-enable no-await-in-loop
    }
  })
  const buyingInBrowser = async () => {
    for (let visit = 0; visit < VISITS_AT_MOST && !closing.signal.aborted; visit += 1) {
      // oxlint-disable no-await-in-loop -- one visit after the other
      const page = await browser.newPage({ serviceWorkers: 'block' })
      await buyInBrowser({ page, shop, payfast, done })
      await page.context().close()
      // oxlint-enable no-await-in-loop
    }
  }
  const all = Promise.all([...buying, buyingInBrowser()])
  return {
    done,
    pages,
    async end() {
      closing.abort()
      await all
    },
  }
}

/** How long a person waits before pressing again. */
const PATIENCE_MS = 5000

interface InBrowser {
  page: Page
  shop: ReachableShop
  payfast: FakePayfast
  done: Purchases
}

/** Buys and pays at a browser. The person presses a button again when the page says that it did not work. */
async function buyInBrowser({ page, shop, payfast, done }: InBrowser): Promise<void> {
  let sent = new URLSearchParams()
  await intercept(page, payfast.account.processUrl, async (route) => {
    sent = new URLSearchParams(route.request().postData() ?? '')
    await route.fulfill({ contentType: 'text/html', body: '<h1>PayFast</h1>' })
  })
  page.setDefaultTimeout(PATIENCE_MS)
  // Its calls are not the browser's: the buyer begins again.
  await expect(async () => void (await openCheckout(page, { shop }))).toPass()
  await expect(async () => {
    const again = page.getByRole('button', { name: 'Try again' })
    if (await again.isVisible()) await again.click()
    await acceptTerms(page)
    await page.getByRole('button', { name: /^Place Order/ }).click()
    await expect(page.getByRole('heading', { name: 'PayFast' })).toBeVisible({ timeout: PATIENCE_MS })
  }).toPass()

  const [m_payment_id, amount_gross, returnUrl] = ['m_payment_id', 'amount', 'return_url'].map(
    (name) => sent.get(name) ?? '',
  )
  const body = payfast.notice({ m_payment_id: m_payment_id ?? '', amount_gross: amount_gross ?? '' })
  await expect(async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status } = await fetch(`${shop.url}/payments/payfast/notice`, { method: 'POST', headers, body })
    expect(status).toBe(200)
  }).toPass()
  await expect(async () => {
    await page.goto(returnUrl ?? '')
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({
      timeout: PATIENCE_MS,
    })
  }).toPass()
  const order = new URL(page.url()).searchParams.get('order_id')
  expect(order).not.toBeNull()
  done.paid.push(order ?? '')
}
