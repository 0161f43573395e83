import { describe, expect } from 'vitest'
import { aCustomer, anAdmin, placing, PLACE_ORDER, popper, putInCart } from './shopping.ts'
import { test, type TestTransaction } from './sql.ts'

const NAME = popper.product_name

/** Announces the product `popper`, in the transaction of the shop. */
async function announce(sql: TestTransaction, launch = `now() + interval '1 hour'`): Promise<void> {
  await sql.asShop()
  await sql.rows(`update public.products set status = 'announced', publish_at = ${launch} where name = $1`, [
    NAME,
  ])
}

async function postpone(sql: TestTransaction, status: string): Promise<void> {
  await sql.asShop()
  await sql.rows(
    `update public.products set status = $2, publish_at = now() + interval '1 hour' where name = $1`,
    [NAME, status],
  )
}

const seenBy = (sql: TestTransaction) =>
  sql.row(
    `select (select count(*)::int from public.products where name = $1) as products,
       (select count(*)::int from public.product_variants v join public.products p on p.id = v.product_id where p.name = $1) > 0 as has_colours,
       (select count(*)::int from public.product_availability a join public.products p on p.id = a.product_id where p.name = $1) > 0 as has_stock,
       (select count(*)::int from public.suggest_products($1)) > 0 as is_suggested,
       (public.search_products($1) ->> 'count')::int as found,
       (public.catalogue_filters() ->> 'lures')::int as listed,
       (select is_gone from public.find_former_address('chisel-nose-popper-150')) as is_gone`,
    [NAME],
  )

describe('before a launch', () => {
  // covers A22
  test('visitors see and find an announced product', async ({ sql }) => {
    await announce(sql)
    await sql.as('anon')

    expect(await seenBy(sql)).toEqual({
      products: 1,
      has_colours: true,
      has_stock: true,
      is_suggested: true,
      found: 1,
      listed: 3,
      is_gone: false,
    })
  })

  test('visitors see nothing of a product that is scheduled without an announcement', async ({ sql }) => {
    await postpone(sql, 'draft')
    await sql.as('anon')

    expect(await seenBy(sql)).toEqual({
      products: 0,
      has_colours: false,
      has_stock: false,
      is_suggested: false,
      found: 0,
      listed: 2,
      is_gone: null,
    })
  })

  test('hiding a product ends its launch, unless it is given another one', async ({ sql }) => {
    const hide = (launch: string) =>
      sql.value(
        `update public.products set status = 'hidden', publish_at = ${launch} where name = $1 returning publish_at::text`,
        [NAME],
      )

    await announce(sql)
    const kept = await hide('publish_at')
    await announce(sql)
    const changed = await hide(`'2099-11-24 17:00+00'`)

    expect([kept, changed]).toEqual([null, '2099-11-24 17:00:00+00'])
  })

  test('a search for products in stock omits announced products', async ({ sql }) => {
    const inStock = () =>
      sql.value<number>(`select (public.search_products(in_stock => true) ->> 'count')::int`)
    const before = await inStock()
    await announce(sql)

    expect(await inStock()).toBe(before - 1)
  })

  test('a cart refuses an announced product with its launch', async ({ sql }) => {
    await announce(sql, `'2099-11-24 17:00+00'`)
    await sql.as(await aCustomer(sql))

    expect(
      await sql.refusal(
        `insert into public.cart_items (product_name, product_variant, price, quantity, with_hooks) values ($1, $2, $3, 1, false)`,
        [NAME, popper.product_variant, popper.price],
      ),
    ).toMatchObject({
      code: 'PT409',
      reason: 'not_launched',
      message: 'This lure is not on sale yet. Sales start on 24 November at 19:00.',
      facts: { launch_at: '2099-11-24T17:00:00+00:00' },
    })
  })

  test('merging a cart leaves out an announced product', async ({ sql }) => {
    await announce(sql)
    await sql.as(await aCustomer(sql))

    expect(await sql.rows('select * from public.merge_cart($1)', [JSON.stringify([popper])])).toEqual([])
  })

  test('an order refuses an announced product that was in the cart before', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.as(customer)
    await putInCart(sql, popper)
    await announce(sql)
    await sql.as(customer)

    expect(await sql.refusal(PLACE_ORDER, placing({ total: 210 }))).toMatchObject({
      code: 'PT409',
      reason: 'not_launched',
    })
  })

  test('a cart shows when a lure that was announced again goes on sale', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.as(customer)
    await putInCart(sql, popper)
    await announce(sql, `'2099-11-24 17:00+00'`)
    await sql.as(customer)

    expect(await sql.value('select public.quote_cart()')).toMatchObject({
      subtotal: 0,
      lines: [{ price: null, problem: 'not_launched', launch_at: '2099-11-24T17:00:00+00:00' }],
    })
  })

  test('a line of a draft order refuses an announced product', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await announce(sql)
    const order = await sql.value(
      `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method) values ($1, 110, 0, 'hand-over') returning id`,
      [customer.sub],
    )

    expect(
      await sql.refusal(
        `insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks) values ($1, $2, $3, $4, 1, false)`,
        [order, NAME, popper.product_variant, popper.price],
      ),
    ).toMatchObject({ reason: 'not_launched' })
  })

  test('an announced product needs a launch', async ({ sql }) => {
    expect(
      (await sql.refusal(`update public.products set status = 'announced' where name = $1`, [NAME]))
        .constraint,
    ).toBe('announced_without_launch')
  })

  test('lists an announced product without stock as low two days before its launch', async ({ sql }) => {
    await sql.rows(`update public.product_variants set stock_quantity = 0`)
    await announce(sql, `now() + interval '47 hours'`)
    const listed = () =>
      sql.value<boolean>(`select exists (select from public.list_low_stock() where product_name = $1)`, [
        NAME,
      ])
    await sql.as(await anAdmin(sql))
    expect(await listed()).toBe(true)

    await announce(sql, `now() + interval '49 hours'`)
    await sql.as(await anAdmin(sql))
    expect(await listed()).toBe(false)
  })
})

describe('at a launch', () => {
  test('an announced product goes on sale, and its launch is over', async ({ sql }) => {
    await announce(sql, `now() - interval '1 second'`)

    expect(await sql.value('select private.publish_products()')).toBe(1)
    expect(await sql.row('select status, publish_at from public.products where name = $1', [NAME])).toEqual({
      status: 'live',
      publish_at: null,
    })
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)
  })

  test.for([
    ['the launch', `'1 minute'`, `'2 minutes'`, 'next_launch'],
    ['the end of a reservation', `'3 minutes'`, `'2 minutes'`, 'next_reservation_end'],
  ] as const)(
    'the catalogue changes next at %s when that is first',
    async ([, launch, end, cause], { sql }) => {
      const customer = await aCustomer(sql)
      await sql.as(customer)
      await putInCart(sql, popper)
      await sql.rows(PLACE_ORDER, placing({ total: 210 }))
      await sql.asShop()
      await sql.rows(`update public.stock_reservations set expires_at = now() + interval ${end}`)
      await announce(sql, `now() + interval ${launch}`)

      expect(await sql.value(`select private.next_catalogue_change() = private.${cause}()`)).toBe(true)
      expect(await sql.value(`select private.next_catalogue_change() < now() + interval '121 seconds'`)).toBe(
        true,
      )
    },
  )
})
