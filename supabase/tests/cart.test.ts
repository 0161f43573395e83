import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { aCustomer, popper, putInCart, riggedStickBait } from './shopping.ts'
import { test, type TestTransaction } from './sql.ts'

const INSERT = `insert into public.cart_items (product_name, product_variant, price, quantity, with_hooks) values ($1, $2, $3, $4, $5)`

function lineWith(wrong: Record<string, unknown>): unknown[] {
  const line = { ...riggedStickBait, ...wrong }
  return [line.product_name, line.product_variant, line.price, line.quantity, line.with_hooks]
}

describe('cart lines', () => {
  test('sets the picture of a cart line from the catalogue', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await sql.rows(
      `insert into public.cart_items (product_name, product_variant, price, with_hooks, image_url) values ($1, $2, 500, true, 'https://elsewhere.example/x.jpg')`,
      [riggedStickBait.product_name, riggedStickBait.product_variant],
    )

    expect(await sql.value('select image_url from public.cart_items')).toBe(
      '/storage/v1/object/public/catalogue/stick-bait-180-blue-reaper.jpg',
    )
  })

  test.for([
    [
      'a price a cent too low',
      { price: 499.99 },
      { code: 'PT409', reason: 'price_changed', facts: { price: 500 } },
    ],
    ['a negative price', { price: -500 }, { reason: 'price_changed' }],
    ['the price without hooks', { price: 400 }, { reason: 'price_changed' }],
    ['an unknown lure', { product_name: 'Spoon' }, { code: 'PT422', reason: 'unknown_product' }],
    ["another lure's colour", { product_variant: 'Redhead 150mm' }, { reason: 'unknown_product' }],
    ['no colour', { product_variant: null }, { reason: 'unknown_product' }],
    ['no choice of hooks', { with_hooks: null }, { code: '23502' }],
    ['a quantity of none', { quantity: 0 }, { constraint: 'impossible_quantity' }],
    ['a negative quantity', { quantity: -1 }, { constraint: 'impossible_quantity' }],
    ['too many', { quantity: 1_000 }, { constraint: 'impossible_quantity' }],
    ['a billion', { quantity: 1e9 }, { constraint: 'impossible_quantity' }],
    ['half a lure', { quantity: '1.5' }, { code: '22P02' }],
    ['"two"', { quantity: 'two' }, { code: '22P02' }],
    ['a NUL byte', { product_name: 'Spoon\0' }, { code: '22021' }],
  ] as const)('rejects a cart line with %s', async ([, wrong, refusal], { sql }) => {
    await sql.as(await aCustomer(sql))

    expect(await sql.refusal(INSERT, lineWith(wrong))).toMatchObject(refusal)
  })

  test('stores one cart line per variant and hook option', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql)

    expect(await sql.refusal(INSERT, lineWith({}))).toMatchObject({ code: '23505', constraint: 'line_twice' })
    await putInCart(sql, { with_hooks: false, price: 400 })
  })

  test('rejects a cart line with hooks for a product that is sold without hooks', async ({ sql }) => {
    await sql.rows('update public.products set price_with_hooks = null where name = $1', [
      riggedStickBait.product_name,
    ])
    await sql.as(await aCustomer(sql))

    expect(await sql.refusal(INSERT, lineWith({}))).toMatchObject({
      code: 'PT422',
      reason: 'hooks_not_offered',
    })
    await putInCart(sql, { with_hooks: false, price: 400 })
  })

  test('lets a customer change only the quantity of a cart line', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql)

    await sql.rows('update public.cart_items set quantity = 999')
    expect(await sql.refusal('update public.cart_items set quantity = 0')).toMatchObject({
      constraint: 'impossible_quantity',
    })
    for (const change of [`price = 1`, `product_name = 'x'`, `with_hooks = false`, `variant_id = null`]) {
      expect(await sql.refusal(`update public.cart_items set ${change}`)).toMatchObject({ code: '42501' })
    }
  })
})

const idOf = (sql: TestTransaction, colour: string) =>
  sql.value<string>(
    `select v.id from public.product_variants v join public.products p on p.id = v.product_id
     where p.name = $1 and v.name = $2`,
    [riggedStickBait.product_name, colour],
  )

const rename = (sql: TestTransaction, variantId: string, name: string) =>
  sql.rows('update public.product_variants set name = $2 where id = $1', [variantId, name])

const merge = (sql: TestTransaction, ...lines: Record<string, unknown>[]) =>
  sql.rows<{ product_variant: string; quantity: number; price: string }>(
    'select product_variant, quantity, price from public.merge_cart($1)',
    [JSON.stringify(lines)],
  )

describe('merging lines into a cart', () => {
  const id = '5f0c0000-0000-4000-8000-000000000001'
  const bait = { ...riggedStickBait, id, quantity: 2 }

  test('adds new lines in their order and raises the quantity of existing ones', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, { quantity: 3 })

    expect(await merge(sql, bait, { ...popper, id: randomUUID(), with_hooks: true, quantity: 1 })).toEqual([
      { product_variant: popper.product_variant, quantity: 1, price: '142.00' },
      { product_variant: riggedStickBait.product_variant, quantity: 5, price: '500.00' },
    ])
    const lines = [popper, { ...popper, product_variant: 'Blue Reaper 150mm' }].map((line) => ({
      ...line,
      id: randomUUID(),
      with_hooks: false,
      quantity: 1,
    }))
    expect((await merge(sql, ...lines)).map((line) => line.product_variant).slice(0, 2)).toEqual([
      'Blue Reaper 150mm',
      popper.product_variant,
    ])
  })

  test('adds only the difference when a merge is repeated with a raised quantity', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, { quantity: 3 })

    for (const [quantity, expected] of [
      [2, 5],
      [2, 5],
      [4, 7],
      [2, 7],
    ]) {
      expect(await merge(sql, { ...bait, quantity })).toMatchObject([{ quantity: expected }])
    }
    expect(await merge(sql, { ...bait, id: randomUUID(), quantity: 999 })).toMatchObject([{ quantity: 999 }])
  })

  test('merges lines at the current price and leaves out lines that are not for sale', async ({ sql }) => {
    await sql.rows('update public.products set price_with_hooks = null where name = $1', [
      popper.product_name,
    ])
    await sql.as(await aCustomer(sql))

    expect(
      await merge(
        sql,
        { ...bait, price: 1 },
        { ...bait, product_variant: 'No such colour' },
        { ...popper, id: randomUUID(), with_hooks: true, quantity: 1 },
      ),
    ).toEqual([{ product_variant: riggedStickBait.product_variant, quantity: 2, price: '500.00' }])
  })

  /** Puts the colour into the cart, deletes it and gives its lure another price with hooks. */
  async function deleteColour(sql: TestTransaction): Promise<void> {
    await putInCart(sql)
    await sql.asShop()
    await sql.rows(
      `with gone as (delete from public.product_variants v using public.products p
         where p.id = v.product_id and p.name = $1 and v.name = $2 returning product_id)
       update public.products set price_with_hooks = 510 where id = (select product_id from gone)`,
      [bait.product_name, bait.product_variant],
    )
  }

  const addColour = (sql: TestTransaction, name: string) =>
    sql.value(
      `insert into public.product_variants (product_id, name, stock_quantity, image_url)
       select id, $2, 5, '/again.jpg' from public.products where name = $1 returning id`,
      [bait.product_name, name],
    )

  test('sells a line again once its deleted colour was made again', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.as(customer)
    await deleteColour(sql)
    await addColour(sql, bait.product_variant)
    await sql.as(customer)

    expect(await sql.value('select public.quote_cart()')).toMatchObject({
      lines: [{ quantity: 1, problem: null, price: 510, image_url: '/again.jpg' }],
    })
  })

  test('sells a line of a deleted colour once another has its name and the line is added', async ({
    sql,
  }) => {
    const customer = await aCustomer(sql)
    await sql.as(customer)
    await deleteColour(sql)
    const other = await addColour(sql, 'Zebra')
    await sql.rows('update public.product_variants set name = $2 where id = $1', [
      other,
      bait.product_variant,
    ])
    await sql.as(customer)

    expect(await merge(sql, bait)).toMatchObject([{ quantity: 3, price: '510.00' }])
    expect(await sql.value('select public.quote_cart()')).toMatchObject({
      lines: [{ problem: null, price: 510, image_url: '/again.jpg' }],
    })
  })

  test('merges a guest’s line whose colour was renamed', async ({ sql }) => {
    const variantId = await idOf(sql, bait.product_variant)
    await rename(sql, variantId, 'Cyan')
    await sql.as(await aCustomer(sql))

    expect(await merge(sql, { ...bait, variant_id: variantId })).toMatchObject([
      { product_variant: 'Cyan', quantity: 2 },
    ])
    expect(
      await merge(sql, { ...bait, id: randomUUID(), variant_id: null, product_variant: 'Cyan' }),
    ).toMatchObject([{ product_variant: 'Cyan', quantity: 4 }])
  })

  test('merges the colour that a guest chose after two colours swapped their names', async ({ sql }) => {
    const [chosen, other] = [await idOf(sql, 'Blue Reaper'), await idOf(sql, 'Mahi Mahi')]
    await rename(sql, chosen, 'Neither')
    await rename(sql, other, 'Blue Reaper')
    await rename(sql, chosen, 'Mahi Mahi')
    await sql.as(await aCustomer(sql))
    await merge(sql, { ...bait, variant_id: chosen })

    expect(await sql.row('select variant_id, product_variant from public.cart_items')).toEqual({
      variant_id: chosen,
      product_variant: 'Mahi Mahi',
    })
  })

  test('merges by its names a line whose colour was deleted and made again', async ({ sql }) => {
    await sql.as(await aCustomer(sql))

    expect(await merge(sql, { ...bait, variant_id: randomUUID() })).toMatchObject([{ quantity: 2 }])
  })

  test('adds up two merged lines of one colour under its former and its present name', async ({ sql }) => {
    const variantId = await idOf(sql, bait.product_variant)
    await rename(sql, variantId, 'Cyan')
    await sql.as(await aCustomer(sql))
    const lines = [
      { ...bait, variant_id: variantId },
      { ...bait, id: randomUUID(), product_variant: 'Cyan', quantity: 3 },
    ]

    expect(await merge(sql, ...lines)).toMatchObject([{ product_variant: 'Cyan', quantity: 5 }])
    expect(await merge(sql, ...lines)).toMatchObject([{ product_variant: 'Cyan', quantity: 5 }])
  })

  test.for([0, -1, 1_000])('rejects a merged line with the quantity %s', async (quantity, { sql }) => {
    await sql.as(await aCustomer(sql))
    const lines = [JSON.stringify([{ ...bait, quantity }])]

    expect(await sql.refusal('select * from public.merge_cart($1)', lines)).toMatchObject({
      constraint: 'impossible_quantity',
    })
  })

  test('merges lines into the caller’s own cart only', async ({ sql }) => {
    const [buyer, other] = [await aCustomer(sql), await aCustomer(sql)]
    await sql.as(buyer)
    await merge(sql, bait)
    await sql.as(other)

    expect(await merge(sql)).toEqual([])
    expect(await merge(sql, { ...bait, user_id: buyer.sub })).toMatchObject([{ quantity: 2 }])
    await sql.as(buyer)
    expect(await merge(sql)).toMatchObject([{ quantity: 2 }])
  })
})

describe('catalogue', () => {
  test('renames cart lines when a product or variant is renamed', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    await putInCart(sql, popper)
    await sql.asShop()
    await sql.rows(`update public.products set name = 'Chugger' where name = $1`, [popper.product_name])
    await sql.rows(`update public.product_variants set name = 'Cherry' where name = $1`, [
      popper.product_variant,
    ])

    expect(await sql.row('select product_name, product_variant from public.cart_items')).toEqual({
      product_name: 'Chugger',
      product_variant: 'Cherry',
    })
  })

  test('lets a new product reuse a deleted product’s name that is still in a cart', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)
    await putInCart(sql, { with_hooks: false, price: 400 })
    await sql.asShop()
    await sql.rows('delete from public.products where name = $1', [popper.product_name])
    await sql.rows(`update public.product_variants set name = $1 where name = $2`, [
      popper.product_variant,
      riggedStickBait.product_variant,
    ])

    await sql.rows('update public.products set name = $1 where name = $2', [
      popper.product_name,
      riggedStickBait.product_name,
    ])

    expect(
      await sql.rows('select product_name, variant_id is null as is_gone from public.cart_items'),
    ).toEqual([{ product_name: popper.product_name, is_gone: false }])
  })

  test('gives a new product a unique slug', async ({ sql }) => {
    const add = () =>
      sql.value(`insert into public.products (name, price) values ($1, 10) returning slug`, [
        'Chugger & Co. (90mm)',
      ])
    expect(await add()).toBe('chugger-co-90mm')
    await sql.rows(`update public.products set name = 'Other' where slug = 'chugger-co-90mm'`)

    expect(await add()).toBe('chugger-co-90mm-2')
  })

  test.for([
    ['no name', { name: '' }, 'malformed_name'],
    ['a name that is taken', { name: popper.product_name }, 'name_taken'],
    ['a negative price', { price: -0.01 }, 'impossible_price'],
    ['no number', { price: 'NaN' }, 'impossible_price'],
    ['a negative stock', { stock_quantity: -1 }, 'negative_stock'],
    ['a script as picture', { image_url: 'javascript:alert(1)' }, 'malformed_image_url'],
  ] as const)('rejects a product with %s', async ([, wrong, constraint], { sql }) => {
    const { name, price, stock_quantity, image_url } = {
      name: 'Chugger',
      price: 1,
      stock_quantity: 0,
      image_url: '',
      ...wrong,
    }

    const refusal = await sql.refusal(
      'insert into public.products (name, price, stock_quantity, image_url) values ($1, $2, $3, $4)',
      [name, price, stock_quantity, image_url],
    )

    expect(refusal.constraint).toBe(constraint)
  })

  test('seeds the catalogue of the specification', async ({ sql }) => {
    await sql.as('anon')

    expect(
      await sql.rows(`
        select p.name, p.category, p.price, p.price_with_hooks, p.hook_size, array_agg(v.name order by v.position) as colours
        from public.products p join public.product_variants v on v.product_id = p.id group by p.id order by p.position`),
    ).toEqual([
      {
        name: 'Slow Sinking Stick Bait (180mm/150G)',
        category: 'Stick Baits',
        price: '400.00',
        price_with_hooks: '500.00',
        hook_size: '5/0 treble',
        colours: ['Blue Reaper', 'Red Head', 'Slachback', 'Mahi Mahi', 'Pink Stinger Stick Bait'],
      },
      {
        name: 'Chisel Nose Popper 150mm/30G',
        category: 'Poppers',
        price: '110.00',
        price_with_hooks: '142.00',
        hook_size: '3/0 treble',
        colours: [
          'Blue Reaper 150mm',
          'Mahi Mahi 150mm',
          'Redhead 150mm',
          'Pink Stinger 150mm',
          'Slachback 150mm',
        ],
      },
      {
        name: 'Chisel Nose Popper 200mm/50G',
        category: 'Poppers',
        price: '140.00',
        price_with_hooks: '204.00',
        hook_size: '3/0 treble',
        colours: [
          'Blue Reaper 200mm',
          'Mahi Mahi 200mm',
          'Redhead 200mm',
          'Pink Stinger 200mm',
          'Slachback 200mm',
        ],
      },
    ])
  })

  test('seeds an existing picture for every colour', async ({ sql }) => {
    const urls = await sql.rows<{ url: string }>(
      `select image_url as url from public.product_variants union select image_url from public.products`,
    )

    for (const { url } of urls) {
      const file = url.replace('/storage/v1/object/public/catalogue/', '')
      expect(existsSync(new URL(`../../assets/product/${file}`, import.meta.url)), url).toBe(true)
    }
    expect(
      await sql.rows(`select slug from public.product_variants where image_alt is null or sku is null`),
    ).toEqual([])
  })
})
