import { describe, expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  aPromoCode,
  orderOf,
  markOrderPaid,
  type UserClaims,
  place,
  placing,
  PLACE_ORDER,
  popper,
  putInCart,
  type PromoTerms,
  riggedStickBait,
  setStock,
  usesOf,
} from './shopping.ts'
import { delivery } from '#test/shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const TEN_RAND: PromoTerms = { code: 'TENNER', discount_type: 'fixed', discount_value: 10 }
const WITH_TENNER = { lines: [popper], total: 200, promo: 'TENNER' }

async function validate(sql: TestTransaction, code: string | null) {
  return sql.row('select * from public.validate_promo_code($1)', [code])
}

function resultOf(sql: TestTransaction, code: string) {
  return sql.row(
    'select state, paid_orders, revenue, discounted from public.promo_code_results where code = $1',
    [code],
  )
}

function tryOut(sql: TestTransaction, terms: object, cart: { subtotal: number; email?: string }) {
  return sql.value('select public.test_promo_code($1, $2, $3)', [
    JSON.stringify(terms),
    cart.subtotal,
    cart.email ?? null,
  ])
}

/** Returns the error message, which is the same for the validation and the order. */
async function refusalFor(sql: TestTransaction, person: UserClaims, code: string): Promise<unknown> {
  await sql.as(person)
  const asked = await validate(sql, code)
  await putInCart(sql, popper)
  const refused = await sql.refusal(PLACE_ORDER, placing({ total: 200, promo: code }))
  await sql.rows('delete from public.cart_items where user_id = $1', [person.sub])
  expect(asked).toMatchObject({
    is_valid: false,
    error_message: refused.message,
    id: null,
    discount_value: null,
  })
  expect(refused).toMatchObject({ code: 'PT409', reason: 'promo_invalid' })
  return refused.message
}

describe('welcome code', () => {
  // covers S9.7
  test('takes five per cent off a first order of R1500 or more', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    expect(await validate(sql, ' 5offfirst ')).toMatchObject({
      is_valid: true,
      error_message: null,
      code: '5OFFFIRST',
      discount_type: 'percentage',
      discount_value: '5.00',
      min_order_amount: '1500.00',
    })
    await putInCart(sql, { quantity: 3 })

    expect(await place(sql, { total: 1425, promo: '5offfirst' })).toMatchObject({
      discount_amount: '75.00',
      promo_code: '5OFFFIRST',
    })
  })

  test('rejects the welcome code below R1500 with the specified message', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, { quantity: 2 })

    expect(await sql.refusal(PLACE_ORDER, placing({ total: 1050, promo: '5OFFFIRST' }))).toMatchObject({
      reason: 'promo_invalid',
      message: 'Minimum order of R1500 required for this code',
      facts: { problem: 'below_minimum' },
    })
  })

  // covers S9.7
  test('rejects the welcome code after an earlier order with the same account, e-mail or phone', async ({
    sql,
  }) => {
    const regular = await aCustomer(sql)
    const first = await orderOf(sql, regular, {
      lines: [popper],
      total: 210,
      delivery: { ...delivery, email: 'Sipho.N+lures@gmail.com', phone: '+27 82 555 0000' },
    })
    await markOrderPaid(sql, first)

    const sameAddress = await aCustomer(sql, 'siphon@gmail.com')
    const samePhone = await aCustomer(sql)
    await sql.rows('update public.profiles set phone = $2 where id = $1', [samePhone.sub, '0825550000'])

    for (const known of [regular, sameAddress, samePhone]) {
      await sql.as(known)
      expect(await validate(sql, '5OFFFIRST')).toMatchObject({
        error_message: 'This promo code is for a first order only',
      })
    }
  })
})

describe('promo code', () => {
  test.for([
    ['is unknown', null, 'This promo code is not valid'],
    ['is switched off', { is_active: false }, 'This promo code is no longer active'],
    ['has ended', { expires_at: 'now' }, 'This promo code has expired'],
    ['has not begun', { starts_at: 'tomorrow' }, 'This promo code is not active yet'],
  ] as const)('rejects a promo code that %s', async ([, terms, sentence], { sql }) => {
    if (terms) await aPromoCode(sql, { ...TEN_RAND, ...terms })

    expect(await refusalFor(sql, await aCustomer(sql), 'TENNER')).toBe(sentence)
  })

  test('frees the only use of a promo code when the order is cancelled', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, usage_limit: 1 })
    const order = await orderOf(sql, await aCustomer(sql), WITH_TENNER)
    const next = await aCustomer(sql)
    expect(await refusalFor(sql, next, 'TENNER')).toBe('This promo code has been used up')

    await sql.asShop()
    await sql.rows(`select private.cancel_order($1, 'expired')`, [order.id])

    expect(await usesOf(sql, 'TENNER')).toBe(0)
    await sql.as(next)
    expect(await validate(sql, 'TENNER')).toMatchObject({ is_valid: true })
  })

  test('limits a promo code per customer across accounts with the same phone', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, per_customer_limit: 1 })
    const order = await orderOf(sql, await aCustomer(sql), WITH_TENNER)
    await markOrderPaid(sql, order)
    const again = await aCustomer(sql)
    await sql.as(again)
    await putInCart(sql, popper)

    const refusal = await sql.refusal(
      PLACE_ORDER,
      placing({
        total: 200,
        promo: 'TENNER',
        delivery: { ...delivery, email: 'other@example.com', phone: '+27 (0)82 1234567' },
      }),
    )

    expect(refusal.message).toBe('You have already used this promo code')
  })

  test('limits a promo code per customer across spellings of one e-mail address', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, per_customer_limit: 1 })
    const order = await orderOf(sql, await aCustomer(sql), {
      ...WITH_TENNER,
      delivery: { ...delivery, email: 'siphon@gmail.com' },
    })
    await markOrderPaid(sql, order)
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)

    const refusal = await sql.refusal(
      PLACE_ORDER,
      placing({
        total: 200,
        promo: 'TENNER',
        delivery: { ...delivery, email: 'Sipho.N+lures@gmail.com', phone: '+27 82 555 0000' },
      }),
    )

    expect(refusal.message).toBe('You have already used this promo code')
  })

  test('counts an unpaid order as a customer’s first order', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, first_order_only: true })
    await orderOf(sql, await aCustomer(sql), WITH_TENNER)

    const again = await aCustomer(sql)
    await sql.as(again)
    await putInCart(sql, popper)
    const refusal = await sql.refusal(PLACE_ORDER, placing({ total: 200, promo: 'TENNER' }))

    expect(refusal).toMatchObject({
      message: 'This promo code is for a first order only',
      facts: { problem: 'not_first_order' },
    })
  })

  test('counts the promo code of an order whose payment awaits a staff decision', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, usage_limit: 1, per_customer_limit: 1 })
    const customer = await aCustomer(sql)
    const waiting = await orderOf(sql, customer, WITH_TENNER)
    await sql.rows('update public.orders set expires_at = null where id = $1', [waiting.id])
    await sql.as(customer)
    const other = { total: 200, promo: 'TENNER', delivery: { ...delivery, city: 'Umhlanga' } }

    const refusal = await sql.refusal(PLACE_ORDER, placing(other))

    expect(refusal).toMatchObject({ reason: 'promo_invalid' })
  })

  test('does not count the promo code of an unpaid order that the new order replaces', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, usage_limit: 1, per_customer_limit: 1 })
    const buyer = await aCustomer(sql)
    await orderOf(sql, buyer, WITH_TENNER)
    await sql.as(buyer)
    expect(await validate(sql, 'TENNER')).toMatchObject({ is_valid: true })

    await place(sql, { total: 200, promo: 'TENNER', delivery: { ...delivery, city: 'Umhlanga' } })

    await sql.asShop()
    expect(await usesOf(sql, 'TENNER')).toBe(1)
    expect(
      await sql.rows('select status from public.orders where customer_id = $1 order by order_number', [
        buyer.sub,
      ]),
    ).toEqual([{ status: 'cancelled' }, { status: 'pending_payment' }])
  })

  test('frees the use of a promo code when the order is deleted', async ({ sql }) => {
    await aPromoCode(sql, TEN_RAND)
    const order = await orderOf(sql, await aCustomer(sql), WITH_TENNER)
    expect(await usesOf(sql, 'TENNER')).toBe(1)

    await sql.rows('delete from public.orders where id = $1', [order.id])

    expect(await usesOf(sql, 'TENNER')).toBe(0)
  })

  test('counts the use of a promo code again when a late payment reinstates the order', async ({ sql }) => {
    await aPromoCode(sql, TEN_RAND)
    const order = await orderOf(sql, await aCustomer(sql), WITH_TENNER)
    await sql.rows(`select private.cancel_order($1, 'expired')`, [order.id])

    expect(await markOrderPaid(sql, order)).toBe('reinstated')
    expect(await usesOf(sql, 'TENNER')).toBe(1)
  })

  test('keeps a deleted promo code’s text in the orders that used the code', async ({ sql }) => {
    const id = await aPromoCode(sql, TEN_RAND)
    const order = await orderOf(sql, await aCustomer(sql), WITH_TENNER)

    await sql.rows('delete from public.promo_codes where id = $1', [id])

    expect(
      await sql.row('select promo_code_id, promo_code, total_amount from public.orders where id = $1', [
        order.id,
      ]),
    ).toEqual({
      promo_code_id: null,
      promo_code: 'TENNER',
      total_amount: '200.00',
    })
  })
})

describe('increment_promo_usage', () => {
  test('reports whether the caller’s order uses a promo code, without counting a use', async ({ sql }) => {
    const code = await aPromoCode(sql, TEN_RAND)
    const buyer = await aCustomer(sql)
    const stranger = await aCustomer(sql)
    await orderOf(sql, buyer, WITH_TENNER)
    const increment = async (person: UserClaims) => {
      await sql.as(person)
      return sql.value('select public.increment_promo_usage($1)', [code])
    }

    expect([await increment(buyer), await increment(buyer), await increment(stranger)]).toEqual([
      true,
      true,
      false,
    ])

    await sql.asShop()
    expect(await usesOf(sql, 'TENNER')).toBe(1)
  })
})

describe('limits of a promo code', () => {
  test('accepts a promo code from its start until before its end', async ({ sql }) => {
    const now = await sql.value<string>('select now()::text')
    await aPromoCode(sql, { ...TEN_RAND, code: 'STARTS', starts_at: now })
    await aPromoCode(sql, { ...TEN_RAND, code: 'ENDS', starts_at: 'yesterday', expires_at: now })
    await sql.as(await aCustomer(sql))

    expect(await validate(sql, 'STARTS')).toMatchObject({ is_valid: true })
    expect(await validate(sql, 'ENDS')).toMatchObject({ error_message: 'This promo code has expired' })
  })

  test('accepts a promo code for an order, a quote and a test of exactly its minimum', async ({ sql }) => {
    const terms = { ...TEN_RAND, min_order_amount: 110 }
    await aPromoCode(sql, terms)
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    await putInCart(sql, popper)

    expect(await sql.value('select public.quote_cart($1)', ['TENNER'])).toMatchObject({ discount: 10 })
    expect(await place(sql, { total: 200, promo: 'TENNER' })).toMatchObject({ discount_amount: '10.00' })
    await sql.asShop()
    await sql.as(await anAdmin(sql))
    expect(await tryOut(sql, { ...terms, code: 'OTHER' }, { subtotal: 110 })).toMatchObject({ discount: 10 })
  })

  test('counts no sold-out line towards the minimum of a promo code', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, min_order_amount: 500 })
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    await putInCart(sql, popper)
    await putInCart(sql, riggedStickBait)
    const quote = () => sql.value('select public.quote_cart($1)', ['TENNER'])
    expect(await quote()).toMatchObject({ subtotal: 610, promo: { problem: null } })

    await sql.asShop()
    await setStock(sql, riggedStickBait, 0)
    await sql.rows('update public.products set made_to_order = false where name = $1', [
      riggedStickBait.product_name,
    ])
    await sql.as(buyer)

    expect(await quote()).toMatchObject({ subtotal: 110, promo: { problem: 'below_minimum' } })
  })

  test('accepts a first-order code after a cancelled order', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, first_order_only: true })
    const buyer = await aCustomer(sql)
    const cancelled = await orderOf(sql, buyer, { lines: [popper], total: 210 })
    await markOrderPaid(sql, cancelled)
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled.id])
    await sql.as(buyer)

    expect(await validate(sql, 'TENNER')).toMatchObject({ is_valid: true })
  })

  test('reports no use of a promo code after its order was cancelled', async ({ sql }) => {
    const code = await aPromoCode(sql, TEN_RAND)
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, WITH_TENNER)
    await sql.rows(`select private.cancel_order($1, 'shop')`, [order.id])
    await sql.as(buyer)

    expect(await sql.value('select public.increment_promo_usage($1)', [code])).toBe(false)
  })

  test('stores an edited promo code in upper case', async ({ sql }) => {
    const id = await aPromoCode(sql, TEN_RAND)

    await sql.rows(`update public.promo_codes set code = ' spring ' where id = $1`, [id])

    expect(await sql.value('select code from public.promo_codes where id = $1', [id])).toBe('SPRING')
  })
})

describe('promo code results', () => {
  // covers A27
  test('adds up only paid orders in the results of a promo code', async ({ sql }) => {
    await aPromoCode(sql, TEN_RAND)
    const [paid, cancelled] = [
      await orderOf(sql, await aCustomer(sql), WITH_TENNER),
      await orderOf(sql, await aCustomer(sql), WITH_TENNER),
    ]
    await orderOf(sql, await aCustomer(sql), WITH_TENNER)
    await markOrderPaid(sql, paid)
    await markOrderPaid(sql, cancelled)
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled.id])

    await sql.as(await anAdmin(sql))

    expect(await resultOf(sql, 'TENNER')).toEqual({
      state: 'live',
      paid_orders: 1,
      revenue: '200.00',
      discounted: '10.00',
    })
  })

  // covers A27
  test.for([
    ['live', {}],
    ['scheduled', { starts_at: 'tomorrow' }],
    ['expired', { expires_at: 'now' }],
    ['used_up', { usage_limit: 1 }],
    ['switched_off', { is_active: false, expires_at: 'now' }],
  ] as const)('lists a promo code with the state %s', async ([state, terms], { sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, ...terms })
    if (state === 'used_up') await orderOf(sql, await aCustomer(sql), WITH_TENNER)

    await sql.as(await anAdmin(sql))

    expect(await resultOf(sql, 'TENNER')).toMatchObject({ state })
  })
})

describe('promo code test', () => {
  // covers A26
  test('calculates a cart’s total with the terms of an unsaved promo code', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const terms = { code: 'DRAFT', discount_type: 'percentage', discount_value: 5, min_order_amount: 1000 }

    expect(await tryOut(sql, terms, { subtotal: 1200 })).toEqual({
      subtotal: 1200,
      shipping: 100,
      discount: 60,
      total: 1240,
      problem: null,
      message: null,
    })
    expect(await tryOut(sql, terms, { subtotal: 999.99 })).toMatchObject({
      discount: 0,
      total: 1099.99,
      problem: 'below_minimum',
      message: 'Minimum order of R1000 required for this code',
    })
    expect(await tryOut(sql, { ...terms, min_order_amount: 1249.5 }, { subtotal: 1000 })).toMatchObject({
      message: 'Minimum order of R1249.50 required for this code',
    })
  })

  test('tests a promo code for a client with the rules of a real order', async ({ sql }) => {
    const id = await aPromoCode(sql, { ...TEN_RAND, per_customer_limit: 1 })
    const regular = await aCustomer(sql)
    await markOrderPaid(sql, await orderOf(sql, regular, WITH_TENNER))
    await sql.as(await anAdmin(sql))
    const terms = { id, ...TEN_RAND, per_customer_limit: 1 }

    expect(
      await tryOut(sql, terms, { subtotal: 500, email: ` ${regular.email.toUpperCase()} ` }),
    ).toMatchObject({
      problem: 'already_used',
      message: 'You have already used this promo code',
    })
    expect(await tryOut(sql, terms, { subtotal: 500, email: 'somebody@example.com' })).toMatchObject({
      problem: null,
      total: 590,
    })
  })

  test('tests a saved promo code with the recorded uses, not with uses from the form', async ({ sql }) => {
    const id = await aPromoCode(sql, { ...TEN_RAND, usage_limit: 1 })
    await orderOf(sql, await aCustomer(sql), WITH_TENNER)
    await sql.as(await anAdmin(sql))

    expect(
      await tryOut(sql, { id, ...TEN_RAND, usage_limit: 1, times_used: 0 }, { subtotal: 500 }),
    ).toMatchObject({
      problem: 'used_up',
    })
  })
})

describe('codes with O and 0', () => {
  test('treats the letter O and the digit 0 as equal in every promo code lookup', async ({ sql }) => {
    const terms: PromoTerms = { code: 'COOL-100', discount_type: 'fixed', discount_value: 10 }
    await aPromoCode(sql, terms)
    const person = await aCustomer(sql)
    await sql.as(person)
    await putInCart(sql, popper)

    expect(await validate(sql, ' c0ol-1o0 ')).toMatchObject({ is_valid: true, code: 'COOL-100' })
    expect(await sql.value('select public.quote_cart($1)', ['C00L-100'])).toMatchObject({
      discount: 10,
      promo: { problem: null },
    })
    await sql.rows(PLACE_ORDER, placing({ total: 200, promo: 'COOL-1OO' }))
    await sql.asShop()
    expect(await usesOf(sql, 'COOL-100')).toBe(1)
  })

  test('rejects a second promo code that differs only in the letter O and the digit 0', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, code: 'B0AT' })

    const refusal = await sql.refusal(
      `insert into public.promo_codes (code, discount_type, discount_value) values ('BOAT', 'fixed', 10)`,
    )

    expect(refusal).toMatchObject({ code: '23505', constraint: 'code_reads_alike' })
  })
})

describe('promo code form', () => {
  // covers S9.6
  test('stores promo codes in upper case', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, code: ' braai-day ' })

    expect(await usesOf(sql, 'BRAAI-DAY')).toBe(0)
  })

  // covers A5.3
  test.for([
    ['a code with a space', { code: 'TWO WORDS' }, 'malformed_code'],
    ['no code', { code: '' }, 'malformed_code'],
    ['a code that exists', { code: '5offfirst' }, 'code_taken'],
    ['an unknown discount type', { discount_type: 'half' }, 'unknown_discount_type'],
    ['a negative discount', { discount_value: -0.01 }, 'impossible_discount'],
    ['NaN as the discount', { discount_value: 'NaN' }, 'impossible_discount'],
    [
      'more than 100 per cent',
      { discount_type: 'percentage', discount_value: 100.01 },
      'more_than_everything',
    ],
    ['a negative minimum', { min_order_amount: -1 }, 'impossible_minimum'],
    ['a limit of zero', { usage_limit: 0 }, 'usage_limit_below_one'],
    [
      'an end before the start',
      { starts_at: '2026-02-01', expires_at: '2026-01-01' },
      'ends_before_it_starts',
    ],
  ] as const)('rejects a promo code with %s', async ([, wrong, constraint], { sql }) => {
    const terms = { ...TEN_RAND, ...wrong }
    const columns = Object.keys(terms)

    const refusal = await sql.refusal(
      `insert into public.promo_codes (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(terms),
    )

    expect(refusal.constraint).toBe(constraint)
  })
})
