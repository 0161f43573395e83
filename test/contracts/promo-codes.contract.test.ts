import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'
import { placed, placeOrder, putInCart, stickBait } from '#test/shopping.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

// covers S3.9 S7.10
it('returns the discount of a promo code in any letter case', async () => {
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

it('explains in a message why a promo code is not valid', async () => {
  const { client } = await shop.signUp()

  const { data } = await client.rpc('validate_promo_code', { code_input: 'NOPE' })

  expect(data).toMatchObject([{ is_valid: false, id: null, discount_value: null }])
  expect(data[0].error_message).toMatch(/\w/)
})

// covers S7.10 S8.14
it('counts a promo code’s use once, and only for the customer whose order has the code', async () => {
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

it('shows the list of promo codes only to admins', async () => {
  const customer = await shop.signUp()
  await placeOrder(customer)

  expect((await customer.client.from('promo_codes').select()).data).toEqual([])
  expect((await shop.client().from('promo_codes').select()).error?.code).toBe('42501')
})

it('checks no more promo codes for an account after twenty codes that do not exist', async () => {
  const guesser = await shop.signUp()
  const ask = (code: string) => guesser.client.rpc('validate_promo_code', { code_input: code })
  // A repeated wrong code counts as one guess.
  for (let times = 0; times < 3; times++) {
    // oxlint-disable-next-line no-await-in-loop -- a person types one code after the other
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

it('rejects promo code checks by GET, which are not rate-limited', async () => {
  const guesser = await shop.signUp()

  const asked = await guesser.client.rpc('validate_promo_code', { code_input: 'ANY' }, { get: true })

  expect(asked.status).toBe(405)
})
