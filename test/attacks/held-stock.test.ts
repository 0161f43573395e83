import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { delivery, placed, popper, putInCart } from '#test/shopping.ts'
import { callsFrom } from './from-address.ts'

/**
 * The attack: while a product is sold out within minutes, a customer places an order whose answer takes as long as a statement may
 * run. The transaction keeps the stock of the product locked meanwhile, so that all other buyers of the product wait.
 */

let shop: TestShop
let customer: Person
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())
beforeEach(async () => {
  customer = await shop.signUp()
  await putInCart(customer, popper)
})

async function call(path: string, body: unknown, method = 'POST') {
  const { data } = await customer.client.auth.getSession()
  const token = data.session?.access_token ?? ''
  const answer = await callsFrom(shop, '192.0.2.1')(`/rest/v1/${path}`, { body, token, method })
  return { status: answer.status, ...(await answer.json()) }
}

const order = () => ({ idempotency_key: crypto.randomUUID(), delivery, expected_total: 210 })
const refusal = { status: 400, code: 'PGRST100' }

it.each([
  ['a regular expression', 'customer_name=match.(.%2B)(.%2B)(.%2B)(.%2B)%5C4%5C3%5C2%5C1'],
  ['a regular expression in a group', 'or=(customer_name.imatch.a,not.and(notes.match.b))'],
  ['a pattern', 'customer_name=like.*a*a*a*a*'],
  ['a text search', 'customer_name=fts.a'],
  ['rows of other tables', 'select=id,order_items(product_variants(products(product_variants(name))))'],
])('refuses an order whose answer requires %s, before anything is locked', async (_requires, query) => {
  expect(await call(`rpc/place_order?${query}`, order())).toMatchObject(refusal)

  expect((await customer.client.from('orders').select('id')).data).toEqual([])
})

it('refuses to cancel an order, or to insert its lines, with an answer that takes long', async () => {
  const { id } = await placed(customer.client, 210)

  expect(await call('orders?or=(customer_name.match.a)', { status: 'cancelled' }, 'PATCH')).toMatchObject(
    refusal,
  )
  expect(await call('orders?customer_name=match.a', undefined, 'DELETE')).toMatchObject(refusal)
  expect(await call('order_items?select=id,orders(id)', [{ order_id: id }])).toMatchObject(refusal)
})

it('still returns the columns of an order, and searches that change nothing', async () => {
  expect(await call('rpc/place_order?select=id,order_number', order())).toMatchObject({ status: 200 })

  const { client } = await shop.packer()
  const found = await client.rpc('search_orders', { term: 'Thandi' }).like('customer_name', '%a%')
  expect(found.error).toBeNull()
})
