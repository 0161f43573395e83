import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { ORDERS_ON_A_PAGE, ownOrdersQuery } from './own-orders.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop
let admin: Person
let customer: Person

beforeAll(async () => {
  shop = await openShop()
  ;[admin, customer] = await Promise.all([shop.admin(), shop.signUp()])
  await placeOrders(admin, ORDERS_ON_A_PAGE + 1)
  await placeOrders(customer, 1)
  // A draft is not placed.
  await shop.database.owner.query(
    `insert into public.orders (customer_id, total_amount, subtotal_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
     values ($1, 99, 99, 0, 'locker', '12 Beach Road', 'Kenton', 'Eastern Cape', '6191')`,
    [admin.userId],
  )
  browser.client = admin.client
})
afterAll(() => shop.close())

/** Places orders on consecutive days of January. */
async function placeOrders({ userId }: Person, count: number) {
  await shop.database.owner.query(
    `insert into public.orders (customer_id, placed_at, total_amount, subtotal_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
     select $1, make_timestamptz(2026, 1, day, 8, 0, 0, 'UTC'), day, day, 0, 'locker', '12 Beach Road', 'Kenton', 'Eastern Cape', '6191'
     from generate_series(1, $2::int) day`,
    [userId, count],
  )
}

const load = (page: number) => new QueryClient().fetchQuery(ownOrdersQuery(admin.userId, page))

it('lists the placed orders of an admin, newest first, without those of customers', async () => {
  const [first, second] = [await load(1), await load(2)]

  expect(first.count).toBe(ORDERS_ON_A_PAGE + 1)
  expect([...first.orders, ...second.orders].map(({ totalCents }) => totalCents / 100)).toEqual(
    Array.from({ length: ORDERS_ON_A_PAGE + 1 }, (_, at) => ORDERS_ON_A_PAGE + 1 - at),
  )
  expect(second.orders).toHaveLength(1)
})
