import { expect } from 'vitest'
import {
  aCustomer,
  aPromoCode,
  orderOf,
  place,
  popper,
  putInCart,
  riggedStickBait,
  setStock,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

interface Quote {
  subtotal: number
  lines: { product_variant: string; problem: string | null; available: number }[]
  promo: { problem: string | null; free_shipping: boolean } | null
}

const quote = (sql: TestTransaction, code: string | null = null) =>
  sql.value<Quote>('select public.quote_cart($1)', [code])

test('quotes more units of a made-to-order product than there are in stock', async ({ sql }) => {
  await sql.rows('update public.products set made_to_order = true where name = $1', [popper.product_name])
  await setStock(sql, popper, 0)
  await sql.as(await aCustomer(sql))
  await putInCart(sql, { ...popper, quantity: 2 })

  expect(await quote(sql)).toMatchObject({ subtotal: 220, lines: [{ problem: null }] })
})

test('counts the units of the customer’s own unpaid order as available, not those of others', async ({
  sql,
}) => {
  await setStock(sql, popper, 2)
  const buyer = await aCustomer(sql)
  await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
  await sql.as(buyer)
  await putInCart(sql, popper)
  await place(sql, { total: 210 })

  expect(await quote(sql)).toMatchObject({ lines: [{ available: 1, problem: null }] })
})

test('lists the newest line of a cart first', async ({ sql }) => {
  await sql.as(await aCustomer(sql))
  await sql.rows('select public.merge_cart($1)', [
    JSON.stringify([popper, riggedStickBait].map((line) => ({ ...line, id: line.product_variant }))),
  ])

  expect((await quote(sql)).lines.map(({ product_variant }) => product_variant)).toEqual([
    riggedStickBait.product_variant,
    popper.product_variant,
  ])
})

test('promises no free shipping for a promo code that is not valid', async ({ sql }) => {
  await aPromoCode(sql, {
    code: 'POST',
    discount_type: 'fixed',
    discount_value: 1,
    free_shipping: true,
    is_active: false,
  })
  await sql.as(await aCustomer(sql))
  await putInCart(sql, popper)

  expect(await quote(sql, 'POST')).toMatchObject({
    shipping: 100,
    promo: { problem: 'inactive', free_shipping: false },
  })
})

test('keeps the price of a cart line whose lure is no longer sold with hooks', async ({ sql }) => {
  const buyer = await aCustomer(sql)
  await sql.as(buyer)
  await putInCart(sql)
  await sql.asShop()

  await sql.rows('update public.products set price_with_hooks = null, price = 410 where name = $1', [
    riggedStickBait.product_name,
  ])

  expect(await sql.value('select price from public.cart_items')).toBe('500.00')
  await sql.as(buyer)
  expect(await quote(sql)).toMatchObject({ subtotal: 0, lines: [{ price: null, problem: 'unavailable' }] })
})

test('shows the new picture of a colour in carts, and the former one when the colour loses it', async ({
  sql,
}) => {
  await sql.as(await aCustomer(sql))
  await putInCart(sql, popper)
  await sql.asShop()
  const pictureAfter = async (url: string) => {
    await sql.rows('update public.product_variants set image_url = $2 where name = $1', [
      popper.product_variant,
      url,
    ])
    return sql.value('select image_url from public.cart_items')
  }

  expect(await pictureAfter('/storage/v1/object/public/catalogue/new.jpg')).toBe(
    '/storage/v1/object/public/catalogue/new.jpg',
  )
  expect(await pictureAfter('')).toBe('/storage/v1/object/public/catalogue/new.jpg')
})

test('shows the lure in a cart when its colour has no picture', async ({ sql }) => {
  await sql.rows(`update public.product_variants set image_url = '' where name = $1`, [
    popper.product_variant,
  ])
  await sql.as(await aCustomer(sql))
  await putInCart(sql, popper)

  expect(await sql.value('select image_url from public.cart_items')).toBe(
    await sql.value('select image_url from public.products where name = $1', [popper.product_name]),
  )
})
