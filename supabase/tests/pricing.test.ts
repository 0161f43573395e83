import { describe, expect } from 'vitest'
import {
  aCustomer,
  aPromoCode,
  place,
  placing,
  PLACE_ORDER,
  popper,
  putInCart,
  riggedStickBait,
} from './shopping.ts'
import { STICK_BAIT } from '#test/product-names.ts'
import { test, type TestTransaction } from './sql.ts'

async function priceOf(sql: TestTransaction, subtotal: number, promo: string | null = null) {
  return sql.row(
    `select p.shipping, p.discount, p.total
    from private.calculate_price($1, (select c from public.promo_codes c where c.code = $2)) p`,
    [subtotal, promo],
  )
}

describe('shipping', () => {
  test('charges R100 shipping up to R1499.99 and nothing from R1500.00', async ({ sql }) => {
    expect(await priceOf(sql, 1499.99)).toMatchObject({ shipping: '100.00', total: '1599.99' })
    expect(await priceOf(sql, 1500)).toMatchObject({ shipping: '0.00', total: '1500.00' })
  })

  test('checks the free-shipping limit before the discount', async ({ sql }) => {
    await aPromoCode(sql, { code: 'CENT', discount_type: 'fixed', discount_value: 0.01 })

    expect(await priceOf(sql, 1500, 'CENT')).toMatchObject({ shipping: '0.00', total: '1499.99' })
  })

  test('charges no shipping with a free-shipping promo code', async ({ sql }) => {
    await aPromoCode(sql, {
      code: 'FREESHIP',
      discount_type: 'fixed',
      discount_value: 0,
      free_shipping: true,
    })

    expect(await priceOf(sql, 110, 'FREESHIP')).toMatchObject({
      shipping: '0.00',
      discount: '0.00',
      total: '110.00',
    })
  })

  test('charges the shipping fee that the shop rules configure', async ({ sql }) => {
    await sql.rows(`select private.set_shop_rules('{"shipping_rate": 85.50, "free_shipping_from": 800}')`)

    expect(await priceOf(sql, 799.99)).toMatchObject({ shipping: '85.50' })
    expect(await priceOf(sql, 800)).toMatchObject({ shipping: '0.00' })
  })

  test('rejects an unknown shop rule', async ({ sql }) => {
    expect(await sql.refusal(`select private.set_shop_rules('{"shiping_rate": 1}')`)).toMatchObject({
      code: '22023',
    })
  })
})

describe('discount', () => {
  test.for([
    [0.1, '0.01'],
    [0.09, '0.00'],
    [110, '5.50'],
    [110.1, '5.51'],
    [1499.9, '75.00'],
  ] as const)('calculates a five per cent discount on R%f as R%s', async ([subtotal, discount], { sql }) => {
    expect(await priceOf(sql, subtotal, '5OFFFIRST')).toMatchObject({ discount })
  })

  // covers S9.4
  test('never lets a discount take the total below zero', async ({ sql }) => {
    await aPromoCode(sql, { code: 'GIFT', discount_type: 'fixed', discount_value: 210 })

    expect(await priceOf(sql, 110.01, 'GIFT')).toMatchObject({ total: '0.01' })
    expect(await priceOf(sql, 110, 'GIFT')).toMatchObject({ total: '0.00' })
    expect(await priceOf(sql, 109.99, 'GIFT')).toMatchObject({ total: '0.00' })
  })
})

describe('expected total', () => {
  test('places an order only when the expected total is exact', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, { quantity: 3 })

    for (const total of [1499.99, 1500.01, 1600, -1500, 'NaN', null]) {
      expect(await sql.refusal(PLACE_ORDER, placing({ total }))).toMatchObject({
        code: 'PT409',
        reason: 'price_changed',
        facts: { total: 1500 },
      })
    }
    expect(await place(sql, { total: 1500 })).toMatchObject({
      subtotal_amount: '1500.00',
      shipping_cost: '0.00',
      total_amount: '1500.00',
    })
  })

  test('places an order at the quoted total', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql)
    await putInCart(sql, { ...popper, quantity: 2 })

    const quote = await sql.value<{ total: number; lines: unknown[] }>('select public.quote_cart()')

    expect(quote).toMatchObject({ subtotal: 720, shipping: 100, discount: 0, total: 820, promo: null })
    expect(quote.lines).toHaveLength(2)
    expect(await place(sql, { total: quote.total })).toMatchObject({ total_amount: '820.00' })
  })

  test('refuses an order after a price increase and updates the cart', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    await putInCart(sql, { quantity: 3 })
    await sql.asShop()
    await sql.rows('update public.products set price_with_hooks = 510 where name = $1', [STICK_BAIT])
    await sql.as(buyer)

    expect(await sql.refusal(PLACE_ORDER, placing({ total: 1500 }))).toMatchObject({
      reason: 'price_changed',
      facts: { total: 1530 },
    })
    expect(await sql.value('select price from public.cart_items')).toBe('510.00')
  })
})

test('refuses to order an empty cart', async ({ sql }) => {
  await sql.as(await aCustomer(sql))

  expect(await sql.refusal(PLACE_ORDER, placing({ total: 100 }))).toMatchObject({
    code: 'PT422',
    reason: 'empty_cart',
  })
})

test('refuses an order with a discontinued product, and names the product', async ({ sql }) => {
  const buyer = await aCustomer(sql)
  await sql.as(buyer)
  await putInCart(sql)
  await sql.asShop()
  await sql.rows(`update public.products set status = 'hidden' where name = $1`, [STICK_BAIT])
  await sql.as(buyer)

  expect(await sql.refusal(PLACE_ORDER, placing({ total: 600 }))).toMatchObject({
    code: 'PT409',
    reason: 'unavailable',
    facts: [{ product_variant: riggedStickBait.product_variant }],
  })
})
