import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { delivery } from '#test/shopping.ts'
import { type Crowd, customers, orderAs, test, WAITING, withCart } from './crowd.ts'
import {
  anAdmin,
  aPromoCode,
  type Line,
  type OrderRecord,
  popper,
  setStock,
  type UserClaims,
} from './shopping.ts'
import type { TestTransaction } from './sql.ts'

/**
 * The locks in the order of ARCHITECTURE.md. One transaction takes the first lock, the second one starts and waits, then the first
 * takes the lock that the second would hold if it locked in the opposite order: PostgreSQL would end one of them as a deadlock.
 */
async function inOrder<T>(
  crowd: Crowd,
  [first, second]: [Lock, Lock],
  work: () => Promise<T>,
): Promise<T | string> {
  const { waiting } = await crowd.shop(async (sql) => {
    await take(sql, first)
    const waits = work()
    waits.catch(() => undefined)
    await expect.poll(() => crowd.shop((other) => other.value<number>(WAITING))).toBe(1)
    await take(sql, second)
    return { waiting: waits }
  })
  return waiting
}

type Lock = [text: string, value: unknown]

const take = (sql: TestTransaction, [text, value]: Lock) => sql.rows(text, [value])

const variantLock = (id: string): Lock => ['select from public.product_variants where id = $1 for update', id]
const productLock = (id: string): Lock => ['select from public.products where id = $1 for update', id]
const orderLock = (id: string): Lock => ['select from public.orders where id = $1 for update', id]
const codeLock = (id: string): Lock => ['select from public.promo_codes where id = $1 for update', id]
const profileLock = (id: string): Lock => ['select from public.profiles where id = $1 for update', id]

/** A product with one variant, and ids in ascending order. */
async function aProduct(
  sql: TestTransaction,
  at = 1,
): Promise<{ product: string; variant: string; line: Line }> {
  const [product, variant] = [idAt(at), idAt(at)]
  const name = `Lure ${product}`
  await sql.rows(`insert into public.products (id, name, price, status) values ($1, $2, 100, 'live')`, [
    product,
    name,
  ])
  await sql.rows(
    `insert into public.product_variants (id, product_id, name, stock_quantity) values ($1, $2, 'Red', 50)`,
    [variant, product],
  )
  return {
    product,
    variant,
    line: { product_name: name, product_variant: 'Red', price: 100, quantity: 1, with_hooks: false },
  }
}

const idAt = (at: number) => `${at}0000000${randomUUID().slice(8)}`

async function anOrderWith(crowd: Crowd, buyer: UserClaims, promo: string): Promise<OrderRecord> {
  await crowd.shop((sql) => setStock(sql, popper, 100))
  await withCart(crowd, [buyer], () => [popper])
  const order = await crowd.person(buyer, orderAs(0, { total: 200, promo }))
  if (typeof order === 'string') throw new Error(order)
  return order
}

async function theBuyer(crowd: Crowd): Promise<UserClaims> {
  const [buyer] = await customers(crowd, 1)
  if (!buyer) throw new Error('no buyer')
  return buyer
}

const replace =
  (order: OrderRecord, variant: string, more: { promo_code: string | null; expected_total: number }) =>
  (sql: TestTransaction) =>
    sql.row<OrderRecord>('select * from public.place_staff_order($1, $2)', [
      randomUUID(),
      JSON.stringify({
        delivery,
        lines: [{ variant_id: variant, with_hooks: false, quantity: 1 }],
        replaces: order.id,
        ...more,
      }),
    ])

describe('lock order', () => {
  test('locks the variant before its product when staff write the stock of a product', async ({ crowd }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const { product, variant } = await crowd.shop((sql) => aProduct(sql))

    await inOrder(crowd, [variantLock(variant), productLock(product)], () =>
      crowd.person(brother, (sql) =>
        sql.rows('update public.products set stock_quantity = 7 where id = $1', [product]),
      ),
    )

    expect(
      await crowd.shop((sql) =>
        sql.value('select stock_quantity from public.product_variants where id = $1', [variant]),
      ),
    ).toBe(7)
  })

  test('locks the variant before its product when staff delete a product', async ({ crowd }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const { product, variant } = await crowd.shop((sql) => aProduct(sql))

    await inOrder(crowd, [variantLock(variant), productLock(product)], () =>
      crowd.person(brother, (sql) => sql.rows('delete from public.products where id = $1', [product])),
    )

    expect(
      await crowd.shop((sql) => sql.rows('select from public.product_variants where id = $1', [variant])),
    ).toEqual([])
  })

  test('does not lock all variants when a sale changes the stock of a product', async ({ crowd }) => {
    const [one, other] = await crowd.shop(async (sql) => [await aProduct(sql), await aProduct(sql)] as const)

    await crowd.shop(async (sql) => {
      await take(sql, variantLock(other.variant))
      await crowd.shop(async (sale) => {
        await sale.rows(`set local lock_timeout = '5s'`)
        await sale.rows('update public.product_variants set stock_quantity = 3 where id = $1', [one.variant])
      })
    })

    expect(
      await crowd.shop((sql) =>
        sql.value('select stock_quantity from public.products where id = $1', [one.product]),
      ),
    ).toBe(3)
  })

  test('locks products by id when several launches are due', async ({ crowd }) => {
    // Written in the opposite order of their ids, which is the order in which a plain update would lock them.
    const [later, first] = await crowd.shop(async (sql) => {
      const products = [await aProduct(sql, 2), await aProduct(sql, 1)] as const
      for (const { product } of products) {
        await sql.rows(
          `update public.products set status = 'announced', publish_at = now() - interval '1 second' where id = $1`,
          [product],
        )
      }
      return products
    })

    const published = await inOrder(crowd, [productLock(first.product), productLock(later.product)], () =>
      crowd.shop((sql) => sql.value<number>('select private.publish_products()')),
    )

    expect(published).toBe(2)
  })

  test('locks the variant before its product when staff enter an order', async ({ crowd }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const { product, variant } = await crowd.shop((sql) => aProduct(sql))

    const order = await inOrder(crowd, [variantLock(variant), productLock(product)], () =>
      crowd.person(brother, (sql) =>
        sql.row<OrderRecord>('select * from public.place_staff_order($1, $2)', [
          randomUUID(),
          JSON.stringify({
            delivery,
            lines: [{ variant_id: variant, with_hooks: false, quantity: 1 }],
            expected_total: 200,
          }),
        ]),
      ),
    )

    expect(order).toMatchObject({ status: 'pending_payment' })
  })

  test('locks the variant before its product when a client inserts the lines of a draft', async ({
    crowd,
  }) => {
    const buyer = await theBuyer(crowd)
    const { product, variant, line } = await crowd.shop((sql) => aProduct(sql))
    const draft = await crowd.person(buyer, (sql) =>
      sql.value<string>(
        `insert into public.orders (customer_id, shipping_cost, total_amount, shipping_method,
           shipping_address, shipping_city, shipping_state, shipping_zip)
         values ($1, 100, 200, 'door-to-door', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001') returning id`,
        [buyer.sub],
      ),
    )

    await inOrder(crowd, [variantLock(variant), productLock(product)], () =>
      crowd.person(buyer, (sql) =>
        sql.rows(
          `insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks)
           values ($1, $2, $3, 100, 1, false)`,
          [draft, line.product_name, line.product_variant],
        ),
      ),
    )

    expect(
      await crowd.shop((sql) =>
        sql.value('select placed_at is not null from public.orders where id = $1', [draft]),
      ),
    ).toBe(true)
  })

  test('locks both promo codes by id when a manual order replaces an order with another code', async ({
    crowd,
  }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const codes = await crowd.shop(async (sql) => {
      const ids = []
      for (const at of [1, 2]) {
        const id = idAt(at)
        await sql.rows(
          `insert into public.promo_codes (id, code, discount_type, discount_value) values ($1, $2, 'fixed', 10)`,
          [id, `ORDER${at}`],
        )
        ids.push(id)
      }
      return ids
    })
    const order = await anOrderWith(crowd, await theBuyer(crowd), 'ORDER2')
    const { variant } = await crowd.shop((sql) => aProduct(sql))

    const placed = await inOrder(crowd, [codeLock(codes[0] ?? ''), codeLock(codes[1] ?? '')], () =>
      crowd.person(brother, replace(order, variant, { promo_code: 'ORDER1', expected_total: 190 })),
    )

    expect(placed).toMatchObject({ promo_code: 'ORDER1', status: 'pending_payment' })
  })

  test('locks the orders of a promo code before the code when staff delete it', async ({ crowd }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const code = await crowd.shop((sql) =>
      aPromoCode(sql, { code: 'GOING', discount_type: 'fixed', discount_value: 10 }),
    )
    const order = await anOrderWith(crowd, await theBuyer(crowd), 'GOING')

    await inOrder(crowd, [orderLock(order.id), codeLock(code)], () =>
      crowd.person(brother, (sql) => sql.rows('delete from public.promo_codes where id = $1', [code])),
    )

    expect(
      await crowd.shop((sql) =>
        sql.row('select promo_code_id, promo_code from public.orders where id = $1', [order.id]),
      ),
    ).toEqual({ promo_code_id: null, promo_code: 'GOING' })
  })

  test('locks the promo code attempts before the replaced order when staff replace an order', async ({
    crowd,
  }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    await crowd.shop((sql) =>
      aPromoCode(sql, { code: 'ATTEMPT', discount_type: 'fixed', discount_value: 10 }),
    )
    const order = await anOrderWith(crowd, await theBuyer(crowd), 'ATTEMPT')
    const { variant } = await crowd.shop((sql) => aProduct(sql))
    const attempts: Lock = [
      `select pg_advisory_xact_lock(hashtextextended('promo codes of ' || $1, 0))`,
      brother.sub,
    ]

    const placed = await inOrder(crowd, [attempts, orderLock(order.id)], () =>
      crowd.person(brother, replace(order, variant, { promo_code: 'ATTEMPT', expected_total: 190 })),
    )

    expect(placed).toMatchObject({ promo_code: 'ATTEMPT' })
  })

  test('does not wait for an order with its lines locked when an admin deletes them', async ({ crowd }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const buyer = await theBuyer(crowd)
    await crowd.shop((sql) => setStock(sql, popper, 100))
    await withCart(crowd, [buyer], () => [popper])
    const order = await crowd.person(buyer, orderAs(0, { total: 210 }))
    if (typeof order === 'string') throw new Error(order)
    const deleteLines = () =>
      crowd.person(brother, async (sql) => {
        await sql.rows(`set local statement_timeout = '5s'`)
        return sql.rows('delete from public.order_items where order_id = $1 returning quantity', [order.id])
      })

    await crowd.shop(async (sql) => {
      await take(sql, orderLock(order.id))
      expect(await deleteLines()).toBe('order_busy')
      await take(sql, ['select from public.order_items where order_id = $1 for update nowait', order.id])
    })

    expect(await deleteLines()).toEqual([{ quantity: 1 }])
  })

  test('locks the orders of a customer by id when the account ends', async ({ crowd }) => {
    const buyer = await theBuyer(crowd)
    const orders = await crowd.shop(async (sql) => {
      const ids = [idAt(2), idAt(1)]
      for (const id of ids) {
        await sql.rows(
          `insert into public.orders (id, customer_id, customer_email, customer_name, customer_phone, subtotal_amount, total_amount,
             shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip, placed_at)
           values ($1, $2, 'thandi@example.com', 'Thandi Mokoena', '0821234567', 100, 100,
             'door-to-door', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001', now())`,
          [id, buyer.sub],
        )
      }
      return ids
    })

    await inOrder(crowd, [orderLock(orders[1] ?? ''), orderLock(orders[0] ?? '')], () =>
      crowd.shop((sql) =>
        sql.rows(
          `select private.end_account(p, 'I close my account.') from public.profiles p where p.id = $1`,
          [buyer.sub],
        ),
      ),
    )

    expect(
      await crowd.shop((sql) => sql.rows('select status from public.orders where id = any ($1)', [orders])),
    ).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }])
  })

  test('locks the customer before the profile when staff erase a client who is ordering', async ({
    crowd,
  }) => {
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const buyer = await theBuyer(crowd)
    const customer: Lock = ['select private.lock_customer($1)', buyer.sub]

    await inOrder(crowd, [customer, profileLock(buyer.sub)], () =>
      crowd.person(brother, (sql) => sql.rows('select public.erase_client($1)', [buyer.sub])),
    )

    expect(
      await crowd.shop((sql) => sql.rows('select from public.profiles where id = $1', [buyer.sub])),
    ).toEqual([])
  })
})
