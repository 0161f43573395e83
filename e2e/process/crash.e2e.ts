import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import { countFor } from '@saltfreak/backend/testing'
import { killPostgres, signalPostgres, type RunningShop, startShop } from '#test/running-shop.ts'
import {
  type Acknowledged,
  answered,
  checkOut,
  fillShelves,
  isOpenAgain,
  settingsFor,
  signUp,
  staffOf,
} from './checkout.ts'

const BUYERS = countFor('BUYERS', { gate: 5, long: 20 })
const CHECKOUTS_EACH = countFor('CHECKOUTS_EACH', { gate: 3, long: 10 })
/** A crash well after the start and well before the end of the checkouts. */
const KILL_AFTER_ORDERS = (BUYERS * CHECKOUTS_EACH) / 3

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

test(
  'a server that is killed during parallel checkouts loses no order and no payment',
  { tag: '@long' },
  async () => {
    test.setTimeout(240_000)
    await openShopForSale()

    const acknowledged = await checkOutWhile(async () => {
      shop.process.kill('SIGKILL')
      await once(shop.process, 'exit')
      shop = await startShop({
        ...settingsFor(payfast),
        PORT: new URL(shop.url).port,
        DATA_DIR: shop.dataDir,
      })
    })

    await expectAllThere(acknowledged)
  },
)

test('a PostgreSQL that is killed during parallel checkouts loses no order and no payment', async () => {
  test.setTimeout(240_000)
  await openShopForSale()

  const acknowledged = await checkOutWhile(() => killPostgres(shop.dataDir))

  await expectAllThere(acknowledged)
})

test('pages and services answer 503 within seconds while PostgreSQL accepts connections and does not answer', async () => {
  shop = await startShop()
  const { publishable } = await shop.keys()
  const get = async (path: string) => {
    const headers = { accept: 'text/html, */*', apikey: publishable }
    const response = await fetch(`${shop.url}${path}`, { headers, signal: AbortSignal.timeout(10_000) })
    return [path, response.status, response.headers.get('cache-status')?.includes('ttl=-1') ?? false]
  }
  await get('/products')

  await signalPostgres(shop.dataDir, 'SIGSTOP')
  try {
    const paths = ['/products?q=popper', '/rest/v1/products?select=id', '/readyz']
    expect(await Promise.all(paths.map(get))).toEqual(paths.map((path) => [path, 503, false]))
    await expect.poll(() => get('/products')).toEqual(['/products', 200, true])
  } finally {
    await signalPostgres(shop.dataDir, 'SIGCONT')
  }
  await isOpenAgain(shop)
  expect(await get('/products?q=popper')).toEqual(['/products?q=popper', 200, false])
})

async function openShopForSale(): Promise<void> {
  shop = await startShop(settingsFor(payfast))
  await fillShelves(shop)
}

/** Twenty buyers check out several times each; `disaster` runs in the middle, and they continue after it. */
async function checkOutWhile(disaster: () => Promise<void>): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { orders: [], paid: [] }
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop)))
  let survived: Promise<void> | undefined

  await Promise.all(
    buyers.map(async (buyer) => {
      for (let done = 0; done < CHECKOUTS_EACH;) {
        if (acknowledged.orders.length >= KILL_AFTER_ORDERS) survived ??= disaster()
        try {
          await checkOut(buyer, { poppers: done + 1, acknowledged, shop, payfast })
          done += 1
        } catch (error) {
          if (!survived) throw error
          await survived
          await isOpenAgain(shop)
        }
      }
    }),
  )
  await survived
  return acknowledged
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
    (await staffOf(shop)).from('orders').select('id, total_amount, paid_at, order_items(id)').limit(1000),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
