import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBuyer, placeOrder } from '#test/buyer.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { staffOrder } from '#domain/order.ts'
import { ORDERS_FILE } from './bulk-orders.ts'
import { ORDERS } from './order-list.ts'

let shop: TestShop
let admin: Person
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
})
afterAll(() => shop.close())

/** Orders and pays. Returns the order's id. */
async function anOrder({ paidDaysAgo = 0, province = 'KwaZulu-Natal' } = {}): Promise<string> {
  const { owner } = shop.database
  const { id } = await placeOrder(shop.database, await aBuyer(shop.database))
  await owner.query('select private.mark_order_paid($1, now() - make_interval(days => $2))', [
    id,
    paidDaysAgo,
  ])
  await owner.query('update public.orders set shipping_state = $2 where id = $1', [id, province])
  return id
}

async function listed(filters: Record<string, string>): Promise<string[]> {
  const { data, error } = await ORDERS.buildQuery(admin.client, { search: '', filters })
  if (error) throw error
  return (data ?? []).map(({ id }) => id)
}

it('lists orders that were paid more than three days ago as late, and others not', async () => {
  const late = await anOrder({ paidDaysAgo: 4 })
  await anOrder({ paidDaysAgo: 2 })

  expect(await listed({ late: 'yes' })).toEqual([late])
})

it('lists the orders of a province', async () => {
  const northern = await anOrder({ province: 'Limpopo' })
  await anOrder({ province: 'Gauteng' })

  expect(await listed({ province: 'Limpopo' })).toEqual([northern])
})

it('exports the amounts of an order with their cents', async () => {
  const id = await anOrder()
  await shop.database.owner.query(
    'update public.orders set shipping_cost = 99.5, total_amount = subtotal_amount + 99.5 where id = $1',
    [id],
  )
  const { data } = await ORDERS.buildQuery(admin.client, { search: '', filters: {} })
  const [row] = (data ?? []).filter((each) => each.id === id)
  if (!row) throw new Error('the order is not listed')

  const cells = Object.fromEntries(
    ORDERS_FILE.columns.map(([title, valueOf]) => [title, valueOf(staffOrder(row))]),
  )

  expect(cells).toMatchObject({ Subtotal: '140.00', Shipping: '99.50', Total: '239.50' })
})
