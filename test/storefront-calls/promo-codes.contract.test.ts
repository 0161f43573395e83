import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'
import { placed, placeOrder, putInCart, stickBait } from './shopping.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

// covers S3.9 S7.10
it('tells a shopper what a code is worth, in any spelling', async () => {
  const { client } = await shop.signUp()

  const { data } = await client.rpc('validate_promo_code', { code_input: '5offfirst' })

  expect(data).toMatchObject([
    {
      is_valid: true,
      error_message: null,
      code: '5OFFFIRST',
      discount_type: 'percentage',
      discount_value: 5,
      min_order_amount: 1500,
      times_used: 0,
      usage_limit: null,
      expires_at: null,
      free_shipping: false,
    },
  ])
})

it('tells in words why a code is worth nothing', async () => {
  const { client } = await shop.signUp()

  const { data } = await client.rpc('validate_promo_code', { code_input: 'NOPE' })

  expect(data).toMatchObject([{ is_valid: false, id: null, discount_value: null }])
  expect(data[0].error_message).toMatch(/\w/)
})

// covers S7.10 S8.14
it('counts a use once, for the customer whose order has the code, and for nobody else', async () => {
  const admin = await shop.admin()
  const { data: promo } = await admin.client
    .from('promo_codes')
    .insert({ code: 'TEN', discount_type: 'percentage', discount_value: 10 })
    .select()
    .single()
  const customer = await shop.signUp()
  await putInCart(customer, stickBait)
  await placed(customer.client, 550, 'TEN')
  const stranger = await shop.signUp()

  const own = await customer.client.rpc('increment_promo_usage', { code_id: promo.id })
  const foreign = await stranger.client.rpc('increment_promo_usage', { code_id: promo.id })

  expect([typeof own.data, foreign.data]).toEqual(['boolean', false])
  const { data } = await admin.client.from('promo_codes').select('times_used').eq('id', promo.id).single()
  expect(data).toEqual({ times_used: 1 })
})

it('shows nobody but admins the list of codes', async () => {
  const customer = await shop.signUp()
  await placeOrder(customer)

  expect((await customer.client.from('promo_codes').select()).data).toEqual([])
  expect((await shop.client().from('promo_codes').select()).error?.code).toBe('42501')
})

it('lets nobody try codes out: after twenty that do not exist an account gets no answer, right or wrong', async () => {
  const guesser = await shop.signUp()
  const ask = (code: string) => guesser.client.rpc('validate_promo_code', { code_input: code })
  // The same wrong code is one guess, however often it is typed.
  for (let times = 0; times < 3; times++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person types
    expect((await ask('oops')).status).toBe(200)
  }

  const guesses = await Promise.all(Array.from({ length: 60 }, (_, number) => ask(`guess-${number}`)))

  expect(guesses.filter(({ status }) => status === 200)).toHaveLength(19)
  expect((await ask('5OFFFIRST')).error).toMatchObject({ code: 'PT429', details: 'too_many_codes' })
  const quoted = await guesser.client.rpc('quote_cart', { promo_code: '5OFFFIRST' })
  expect(quoted.error).toMatchObject({ details: 'too_many_codes' })
  expect((await guesser.client.rpc('quote_cart')).status).toBe(200)
  const other = await shop.signUp()
  expect((await other.client.rpc('validate_promo_code', { code_input: '5OFFFIRST' })).status).toBe(200)
})

it('answers no question about codes that it cannot count', async () => {
  const guesser = await shop.signUp()

  const asked = await guesser.client.rpc('validate_promo_code', { code_input: 'ANY' }, { get: true })

  expect(asked.status).toBe(405)
})
