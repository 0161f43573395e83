import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import { freePort, killPostgres, type RunningShop, startShop } from '#test/running-shop.ts'
import { delivery, popper, stickBait } from '#test/storefront-calls/shopping.ts'

const BUYERS = 20
const CHECKOUTS_EACH = 10
/** Well into the 200, and far from their end. */
const KILL_AFTER_ORDERS = 70

/** What the shop has answered for; every word of it must be true afterwards. */
interface Acknowledged {
  orders: { id: string; lines: number; total: number }[]
  /** Orders whose payment notice was answered 200. */
  paid: string[]
}

let payfast: FakePayfast
let shop: RunningShop
test.beforeAll(async () => {
  payfast = await fakePayfast()
})
test.afterAll(() => payfast.close())
test.afterEach(async () => {
  await shop.stop()
  await rm(shop.dataDir, { recursive: true, force: true })
})

test('a server that is killed in the middle of 200 checkouts forgets no order and no payment', async () => {
  test.setTimeout(240_000)
  await openShopForSale()

  const acknowledged = await checkOutWhile(async () => {
    shop.process.kill('SIGKILL')
    await once(shop.process, 'exit')
    shop = await startShop({ ...environment(), PORT: new URL(shop.url).port, DATA_DIR: shop.dataDir })
  })

  await expectAllThere(acknowledged)
})

test('a PostgreSQL that is killed in the middle of 200 checkouts forgets no order and no payment', async () => {
  test.setTimeout(240_000)
  await openShopForSale()

  const acknowledged = await checkOutWhile(() => killPostgres(shop.dataDir))

  await expectAllThere(acknowledged)
})

/** PayFast is a process of its own here, as it is in life: it outlives the shop. */
function environment(): Record<string, string> {
  const { merchantId, merchantKey, passphrase, processUrl, validateUrl } = payfast.account
  return {
    PAYFAST_MODE: 'sandbox',
    PAYFAST_MERCHANT_ID: merchantId,
    PAYFAST_MERCHANT_KEY: merchantKey,
    PAYFAST_PASSPHRASE: passphrase ?? '',
    PAYFAST_PROCESS_URL: processUrl,
    PAYFAST_VALIDATE_URL: validateUrl,
  }
}

async function openShopForSale(): Promise<void> {
  shop = await startShop({ ...environment(), PORT: String(await freePort()) })
  const { error } = await (
    await staff()
  )
    .from('product_variants')
    .update({ stock_quantity: 10_000 })
    .in('name', [stickBait.product_variant, popper.product_variant])
  if (error) throw error
}

async function staff(): Promise<SupabaseClient> {
  return createClient(shop.url, (await shop.keys()).secret, { auth: { persistSession: false } })
}

/** Twenty buyers check out ten times each; somewhere in the middle `disaster` strikes, and they carry on after it. */
async function checkOutWhile(disaster: () => Promise<void>): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { orders: [], paid: [] }
  const { publishable } = await shop.keys()
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(publishable)))
  let survived: Promise<void> | undefined

  await Promise.all(
    buyers.map(async (buyer) => {
      for (let done = 0; done < CHECKOUTS_EACH;) {
        if (acknowledged.orders.length >= KILL_AFTER_ORDERS) survived ??= disaster()
        try {
          await checkOut(buyer, { poppers: done + 1, acknowledged })
          done += 1
        } catch (error) {
          if (!survived) throw error
          await survived
          await isOpenAgain()
        }
      }
    }),
  )
  await survived
  return acknowledged
}

interface Buyer {
  client: SupabaseClient
  userId: string
}

async function signUp(publishableKey: string): Promise<Buyer> {
  const client = createClient(shop.url, publishableKey, { auth: { persistSession: false } })
  const email = `buyer-${crypto.randomUUID()}@example.com`
  const { data, error } = await client.auth.signUp({ email, password: 'salt-water-42' })
  if (error || !data.user) throw error ?? new Error('nobody signed up')
  return { client, userId: data.user.id }
}

interface Wish {
  /** A number of its own for each checkout: the same cart again would be the same order again, while it is unpaid. */
  poppers: number
  acknowledged: Acknowledged
}

/** As the browser does it: cart, order, payment; then PayFast's notice. Throws at the first answer that does not come. */
async function checkOut({ client, userId }: Buyer, { poppers, acknowledged }: Wish): Promise<void> {
  const lines = [stickBait, { ...popper, quantity: poppers }].map((line) => ({ user_id: userId, ...line }))
  const subtotal = stickBait.price + popper.price * poppers
  const expectedTotal = subtotal >= 1500 ? subtotal : subtotal + 100
  await answered(client.from('cart_items').delete().eq('user_id', userId).select())
  await answered(client.from('cart_items').insert(lines).select())
  const order: { id: string; total_amount: number } = await answered(
    client
      .rpc('place_order', { idempotency_key: crypto.randomUUID(), delivery, expected_total: expectedTotal })
      .single(),
  )
  acknowledged.orders.push({ id: order.id, lines: lines.length, total: order.total_amount })

  const { data: payment, error } = await client.functions.invoke('generate-payfast-payment', {
    body: { orderId: order.id, amount: order.total_amount },
  })
  if (error) throw error
  const notice = await fetch(`${shop.url}/payments/payfast/notice`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: payfast.notice({
      m_payment_id: payment.paymentData.m_payment_id,
      amount_gross: payment.paymentData.amount,
    }),
  })
  if (notice.status !== 200) throw new Error(`the notice was answered ${notice.status}`)
  acknowledged.paid.push(order.id)
}

async function answered<T>(call: PromiseLike<{ data: T; error: unknown }>): Promise<NonNullable<T>> {
  const { data, error } = await call
  if (error || data == null) throw error ?? new Error('an answer without content')
  return data
}

async function isOpenAgain(): Promise<void> {
  await expect.poll(readiness, { timeout: 30_000 }).toBe(200)
}

async function readiness(): Promise<number | null> {
  return fetch(`${shop.url}/readyz`).then(
    ({ status }) => status,
    () => null,
  )
}

async function expectAllThere({ orders, paid }: Acknowledged): Promise<void> {
  expect(orders.length).toBeGreaterThanOrEqual(BUYERS * CHECKOUTS_EACH)
  expect(paid).toHaveLength(BUYERS * CHECKOUTS_EACH)

  const stored = await storedOrders()
  for (const { id, lines, total } of orders) {
    expect(stored.get(id), `order ${id}`).toMatchObject({
      total_amount: total,
      order_items: { length: lines },
    })
  }
  const unpaid = async () => {
    const now = await storedOrders()
    return paid.filter((id) => now.get(id)?.paid_at === null)
  }
  await expect.poll(unpaid, { message: 'paid, and not applied', timeout: 30_000 }).toEqual([])
}

interface StoredOrder {
  id: string
  total_amount: number
  paid_at: string | null
  order_items: { id: string }[]
}

async function storedOrders(): Promise<Map<string, StoredOrder>> {
  const rows: StoredOrder[] = await answered(
    (await staff()).from('orders').select('id, total_amount, paid_at, order_items(id)').limit(1000),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
