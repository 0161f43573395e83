import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { popper, putInCart, stickBait } from '#test/shopping.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const cartOf = ({ client, userId }: Person<SupabaseClient>) =>
  client.from('cart_items').select('*').eq('user_id', userId).order('created_at', { ascending: false })

// covers S3.1 S4.9 S7.4
it('stores a cart on the server, newest line first', async () => {
  const customer = await shop.signUp()

  await putInCart(customer, stickBait)
  await putInCart(customer, popper)

  const { data } = await cartOf(customer)
  expect(data).toMatchObject([popper, stickBait])
})

// covers S4.11 S7.4
it('sets a line’s quantity, removes a line, and empties the cart on the server', async () => {
  const customer = await shop.signUp()
  await putInCart(customer, stickBait)
  await putInCart(customer, popper)
  const [newest, oldest] = (await cartOf(customer)).data ?? []

  await customer.client.from('cart_items').update({ quantity: 7 }).eq('id', newest.id)
  await customer.client.from('cart_items').delete().eq('id', oldest.id)
  expect((await cartOf(customer)).data).toMatchObject([{ ...popper, quantity: 7 }])

  await customer.client.from('cart_items').delete().eq('user_id', customer.userId)
  expect((await cartOf(customer)).data).toEqual([])
})

it.each([0, -1, 1e9, 1.5, 'two'])('rejects a cart line with the quantity %s', async (quantity) => {
  const customer = await shop.signUp()

  const { error } = await customer.client
    .from('cart_items')
    .insert({ user_id: customer.userId, ...stickBait, quantity })

  expect(error?.message).toBeTruthy()
  expect((await cartOf(customer)).data).toEqual([])
})

it.each([
  ['an invented price', { price: 1 }],
  ['an unknown product', { product_name: 'Golden Spoon' }],
  ['an unknown colour', { product_variant: 'Invisible' }],
  ['no hook option', { with_hooks: null }],
])('rejects a cart line with %s', async (_description, wrong) => {
  const customer = await shop.signUp()

  const { error } = await customer.client
    .from('cart_items')
    .insert({ user_id: customer.userId, ...stickBait, ...wrong })

  expect(error?.message).toBeTruthy()
  expect((await cartOf(customer)).data).toEqual([])
})

// covers S6.4
it('does not let a customer read or write another customer’s cart', async () => {
  const customer = await shop.signUp()
  const stranger = await shop.signUp()
  await putInCart(customer)
  const own = { user_id: customer.userId }
  const table = () => stranger.client.from('cart_items')

  expect((await table().select().match(own)).data).toEqual([])
  expect((await table().update({ quantity: 9 }).match(own).select()).data).toEqual([])
  expect((await table().delete().match(own).select()).data).toEqual([])
  expect((await table().insert({ ...own, ...popper })).error?.code).toBe('42501')
  expect((await cartOf(customer)).data).toMatchObject([stickBait])
})

// covers S6.2
it('rejects server carts for visitors', async () => {
  const visitor = shop.client()

  const read = await visitor.from('cart_items').select()
  const written = await visitor.from('cart_items').insert(stickBait)

  expect([read.error?.code, written.error?.code]).toEqual(['42501', '42501'])
})
