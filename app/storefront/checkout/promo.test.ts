import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { expect, it } from 'vitest'
import { defaultShippingTerms, type Promo } from '#domain/pricing.ts'
import { checkPromoCode, minimumText, savedText } from './promo.ts'

const fivePercent: Promo = {
  code: '5OFFFIRST',
  discount: { type: 'percentage', percent: 5 },
  minOrderCents: 1500_00,
  grantsFreeShipping: false,
}

// covers S8.13
it('shows how much a promo code saves and whether shipping is free', () => {
  expect(savedText(fivePercent, { subtotalCents: 1500_00, rates: defaultShippingTerms })).toBe(
    'You saved R75.00',
  )
  expect(
    savedText(
      { ...fivePercent, grantsFreeShipping: true },
      { subtotalCents: 1500_00, rates: defaultShippingTerms },
    ),
  ).toBe('You saved R75.00 + Free Shipping!')
})

/** Returns the official client, with a backend that always responds with this row. */
function clientReturning(row: object) {
  const respond = () =>
    Promise.resolve(new Response(JSON.stringify([row]), { headers: { 'content-type': 'application/json' } }))
  return createClient<ShopDatabase>('http://shop.example', 'key', { global: { fetch: respond } })
}

const valid = {
  is_valid: true,
  error_message: null,
  code: '5OFFFIRST',
  discount_type: 'percentage',
  discount_value: 5,
  min_order_amount: 1500,
  free_shipping: false,
}

// covers S5.14
it.each([
  [{ error_message: 'This code has expired' }, 'This code has expired'],
  [{ error_message: null }, 'This promo code is not valid'],
])('shows the reason why a promo code is invalid: %j', async (row, reason) => {
  const client = clientReturning({ ...valid, ...row, is_valid: false })

  expect(await checkPromoCode(client, { code: 'X', subtotalCents: 1 })).toEqual({
    title: 'Invalid Code',
    reason,
  })
})

it.each([
  [1499_99, { title: 'Minimum Order Not Met', reason: 'Minimum order of R1500 required for this code' }],
  [1500_00, { promo: fivePercent }],
])(
  'checks a promo code’s minimum order against %i cents with the result %j',
  async (subtotalCents, expected) => {
    expect(await checkPromoCode(clientReturning(valid), { code: '5OFFFIRST', subtotalCents })).toEqual(
      expected,
    )
  },
)

it('writes the minimum order of a promo code with two digits for cents', () => {
  expect(minimumText({ ...fivePercent, minOrderCents: 1249_50 })).toBe(
    'Minimum order of R1249.50 required for this code',
  )
})

it('converts a promo code’s fixed discount from rand to cents and keeps its free shipping', async () => {
  const row = { ...valid, discount_type: 'fixed', discount_value: 49.5, free_shipping: true }

  const result = await checkPromoCode(clientReturning(row), { code: '5OFFFIRST', subtotalCents: 1500_00 })

  expect(result).toMatchObject({
    promo: { discount: { type: 'fixed', cents: 49_50 }, grantsFreeShipping: true, minOrderCents: 1500_00 },
  })
})

it('accepts a promo code without a minimum order', async () => {
  const result = await checkPromoCode(clientReturning({ ...valid, min_order_amount: null }), {
    code: '5OFFFIRST',
    subtotalCents: 0,
  })

  expect(result).toMatchObject({ promo: { minOrderCents: 0 } })
})
