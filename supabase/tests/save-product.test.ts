import { describe, expect } from 'vitest'
import { aCustomer, anAdmin, orderOf, markOrderPaid, popper, putInCart, setStock } from './shopping.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { POPPER_150 } from '#test/product-names.ts'
import { type TestTransaction, test } from './sql.ts'

const SAVE = 'select public.save_product($1, $2)'

interface OpenProduct {
  id: string
  variants: { id: string; name: string; sku: string; stock_quantity: number }[]
}

/** Signs an admin in and returns the 150 mm popper with its colours. */
async function openProduct(sql: TestTransaction): Promise<OpenProduct> {
  await sql.as(await anAdmin(sql))
  const { id } = await sql.row<{ id: string }>('select id from public.products where name = $1', [POPPER_150])
  const variants = await sql.rows<OpenProduct['variants'][number]>(
    'select id, name, sku, stock_quantity from public.product_variants where product_id = $1 order by position',
    [id],
  )
  return { id, variants }
}

function colour({ variants }: OpenProduct, name: string) {
  const found = variants.find((variant) => variant.name === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

const NEW_ID = '00000000-0000-4000-8000-000000000001'

const json = (value: unknown) => JSON.stringify(value)

const variantRow = (sql: TestTransaction, id: string) =>
  sql.row('select name, sku, stock_quantity from public.product_variants where id = $1', [id])

const imagesOf = (sql: TestTransaction, id: string) =>
  sql.value('select images from public.products where id = $1', [id])

describe('product saving', () => {
  // covers A20
  test('saves changed cells, a new colour and the new colour order in one call', async ({ sql }) => {
    const opened = await openProduct(sql)
    const redhead = colour(opened, 'Redhead 150mm')
    const first = opened.variants[0]

    await sql.rows(SAVE, [
      opened.id,
      json({
        product: { price: { was: 110, now: 120.5 }, price_with_hooks: { was: 142, now: null } },
        variants: { [redhead.id]: { stock_quantity: { was: redhead.stock_quantity, now: 3 } } },
        added: { [NEW_ID]: { name: 'Zebra', sku: 'CNP-150-Z', stock_quantity: 4 } },
        order: ['Zebra', first?.name],
      }),
    ])

    expect(
      await sql.row('select price, price_with_hooks from public.products where id = $1', [opened.id]),
    ).toEqual({ price: '120.50', price_with_hooks: null })
    expect(await variantRow(sql, redhead.id)).toMatchObject({ stock_quantity: 3 })
    expect(
      await sql.row(
        `select id, sku, stock_quantity, position, slug from public.product_variants where name = 'Zebra'`,
      ),
    ).toEqual({ id: NEW_ID, sku: 'CNP-150-Z', stock_quantity: 4, position: 1, slug: 'zebra' })
    expect(
      await sql.rows('select quantity, reason from public.stock_movements order by id desc limit 2'),
    ).toEqual([
      { quantity: 4, reason: 'counted' },
      { quantity: 3 - redhead.stock_quantity, reason: 'counted' },
    ])
  })

  test('puts a new colour after the last colour', async ({ sql }) => {
    const opened = await openProduct(sql)

    await sql.rows(SAVE, [opened.id, json({ added: { [NEW_ID]: { name: 'Zebra' } }, order: [] })])

    expect(
      await sql.value(
        'select array_agg(name order by position) from public.product_variants where product_id = $1',
        [opened.id],
      ),
    ).toEqual([...opened.variants.map(({ name }) => name), 'Zebra'])
  })

  test('adds a colour whose name another colour had before, with an address of its own', async ({ sql }) => {
    const opened = await openProduct(sql)
    await sql.rows(SAVE, [opened.id, json({ added: { [NEW_ID]: { name: 'Blue' } } })])
    await sql.rows(SAVE, [
      opened.id,
      json({ variants: { [NEW_ID]: { name: { was: 'Blue', now: 'Deep Blue' } } } }),
    ])

    await sql.rows(SAVE, [opened.id, json({ added: { blue: { name: 'Blue' } } })])

    expect(
      await sql.rows(`select name, slug from public.product_variants where name like '%Blue' order by name`),
    ).toEqual([
      { name: 'Blue', slug: 'blue-2' },
      { name: 'Deep Blue', slug: 'blue' },
    ])
  })

  test('swaps the names of two colours in one save', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    await setStock(sql, popper, 0)
    await sql.as(buyer)
    await putInCart(sql, { ...popper, quantity: 1 })
    await putInCart(sql, { ...popper, product_variant: 'Blue Reaper 150mm', quantity: 2 })
    await sql.asShop()
    const opened = await openProduct(sql)
    const [red, blue] = [colour(opened, popper.product_variant), colour(opened, 'Blue Reaper 150mm')]
    await sql.rows(`select public.request_stock_alert($1, 'sipho@example.com')`, [red.id])
    const swap = json({
      variants: {
        [red.id]: { name: { was: red.name, now: blue.name }, sku: { was: red.sku, now: 'CNP-R' } },
        [blue.id]: { name: { was: blue.name, now: red.name } },
      },
    })

    await sql.rows(SAVE, [opened.id, swap])
    await sql.rows(SAVE, [opened.id, swap])

    expect([await variantRow(sql, red.id), await variantRow(sql, blue.id)]).toEqual([
      { name: blue.name, sku: 'CNP-R', stock_quantity: red.stock_quantity },
      { name: red.name, sku: blue.sku, stock_quantity: blue.stock_quantity },
    ])
    expect(
      await sql.rows(
        `select row_id, before, after from public.changes where table_name = 'product_variants' order by after ->> 'name'`,
      ),
      'the history has no temporary names',
    ).toEqual([
      { row_id: red.id, before: { name: red.name, sku: red.sku }, after: { name: blue.name, sku: 'CNP-R' } },
      { row_id: blue.id, before: { name: blue.name }, after: { name: red.name } },
    ])
    await sql.asShop()
    expect(
      await sql.rows(
        'select variant_id, product_variant, quantity from public.cart_items where user_id = $1 order by quantity',
        [buyer.sub],
      ),
    ).toEqual([
      { variant_id: red.id, product_variant: blue.name, quantity: 1 },
      { variant_id: blue.id, product_variant: red.name, quantity: 2 },
    ])
    expect(await sql.value('select variant_id from public.stock_alerts')).toBe(red.id)
  })

  test('passes the names of three colours on in one save, but takes no name of a fourth', async ({ sql }) => {
    const opened = await openProduct(sql)
    const [one, two, three, four] = opened.variants
    if (!one || !two || !three || !four) throw new Error('four colours are needed')
    const rename = ({ id, name: was }: typeof one, now: string) => ({ [id]: { name: { was, now } } })
    const namesNow = async () => {
      const rows = [
        await variantRow(sql, one.id),
        await variantRow(sql, two.id),
        await variantRow(sql, three.id),
      ]
      return rows.map((row) => row['name'])
    }

    const taken = await sql.refusal(SAVE, [
      opened.id,
      json({ variants: { ...rename(one, two.name), ...rename(two, four.name) } }),
    ])

    expect(taken).toMatchObject({
      reason: 'invalid_product',
      facts: { [two.id]: { name: 'Another colour of this lure has this name.' } },
    })
    expect(await namesNow()).toEqual([one.name, two.name, three.name])
    await sql.rows(SAVE, [
      opened.id,
      json({ variants: { ...rename(one, two.name), ...rename(two, three.name), ...rename(three, 'Zebra') } }),
    ])
    expect(await namesNow()).toEqual([two.name, three.name, 'Zebra'])
  })

  test('replaces a colour with a new one of its name in one save, even the last colour', async ({ sql }) => {
    const opened = await openProduct(sql)
    const [first] = opened.variants
    const removed = opened.variants.map(({ id }) => id)

    await sql.rows(SAVE, [opened.id, json({ removed, added: { [NEW_ID]: { name: first?.name } } })])

    expect(
      await sql.rows('select id, name from public.product_variants where product_id = $1', [opened.id]),
    ).toEqual([{ id: NEW_ID, name: first?.name }])
  })

  // covers A20
  test('saves nothing when a product has invalid cells, and names each invalid cell', async ({ sql }) => {
    const opened = await openProduct(sql)
    const [one, other] = opened.variants
    if (!one || !other) throw new Error('two colours are needed')

    const refused = await sql.refusal(SAVE, [
      opened.id,
      json({
        product: { price: { was: 110, now: -1 }, length_mm: { was: 150, now: 'long' } },
        variants: {
          [one.id]: { sku: { was: one.sku, now: other.sku }, name: { was: one.name, now: 'Kite' } },
          [other.id]: { stock_quantity: { was: other.stock_quantity, now: 2.5 } },
        },
        added: { [NEW_ID]: { name: other.name } },
        removed: opened.variants.slice(2).map(({ id }) => id),
      }),
    ])

    expect(refused).toMatchObject({
      code: 'PT422',
      reason: 'invalid_product',
      facts: {
        product: { price: 'Between R0 and R1 000 000.', length_mm: 'This is not a valid number.' },
        [one.id]: { sku: 'Another colour has this SKU.' },
        [other.id]: { stock_quantity: 'This is not a valid number.' },
        [NEW_ID]: { name: 'Another colour of this lure has this name.' },
      },
    })
    expect(await variantRow(sql, one.id)).toMatchObject({ name: one.name, sku: one.sku })
  })

  test('refuses a new colour with the id of another colour and does not change that colour', async ({
    sql,
  }) => {
    const opened = await openProduct(sql)
    const [taken] = opened.variants
    if (!taken) throw new Error('a colour is needed')

    const refused = await sql.refusal(SAVE, [opened.id, json({ added: { [taken.id]: { name: 'Zebra' } } })])

    expect(refused).toMatchObject({
      reason: 'invalid_product',
      facts: { [taken.id]: { name: 'This value is not valid here.' } },
    })
    expect(await variantRow(sql, taken.id)).toMatchObject({ name: taken.name })
  })

  test('neither changes nor deletes a colour of another product', async ({ sql }) => {
    const opened = await openProduct(sql)
    const other = await sql.value<string>(
      'select id from public.product_variants where product_id <> $1 limit 1',
      [opened.id],
    )
    const before = await variantRow(sql, other)

    const change = { variants: { [other]: { stock_quantity: { was: before.stock_quantity, now: 99 } } } }
    expect(await sql.refusal(SAVE, [opened.id, json(change)])).toMatchObject({
      reason: 'product_changed',
      facts: { [other]: null },
    })
    await sql.rows(SAVE, [opened.id, json({ removed: [other] })])

    expect(await variantRow(sql, other)).toEqual(before)
  })

  test('does not overwrite a cell that another admin has just changed, but saves other cells', async ({
    sql,
  }) => {
    const opened = await openProduct(sql)
    const [one] = opened.variants
    if (!one) throw new Error('a colour is needed')
    const save = (sku: string) =>
      json({
        variants: { [one.id]: { sku: { was: one.sku, now: sku } } },
        product: { model: { was: 'CNP-150', now: sku } },
      })
    await sql.rows(SAVE, [opened.id, save('FIRST')])

    const refused = await sql.refusal(SAVE, [opened.id, save('SECOND')])
    await sql.rows(SAVE, [
      opened.id,
      json({ variants: { [one.id]: { name: { was: one.name, now: 'Kite' } } } }),
    ])

    expect(refused).toMatchObject({
      code: 'PT409',
      reason: 'product_changed',
      facts: { product: { model: 'FIRST' }, [one.id]: { sku: 'FIRST' } },
    })
    expect(await variantRow(sql, one.id)).toMatchObject({ name: 'Kite', sku: 'FIRST' })
  })

  test('accepts changes of a product that are sent again because their response was lost', async ({
    sql,
  }) => {
    const opened = await openProduct(sql)
    const redhead = colour(opened, 'Redhead 150mm')
    const removed = opened.variants.find(({ id }) => id !== redhead.id)?.id
    const changes = json({
      product: { price: { was: 110, now: 120.5 }, images: { was: await imagesOf(sql, opened.id), now: [] } },
      variants: { [redhead.id]: { stock_quantity: { was: redhead.stock_quantity, now: 3 } } },
      added: { [NEW_ID]: { name: 'Zebra', sku: 'CNP-150-Z', stock_quantity: 4 } },
      removed: [removed],
    })
    await sql.rows(SAVE, [opened.id, changes])

    await sql.rows(SAVE, [opened.id, changes])

    expect(await variantRow(sql, redhead.id)).toMatchObject({ stock_quantity: 3 })
    expect(await imagesOf(sql, opened.id)).toEqual([])
  })

  test('accepts a launch again after a lost answer in a database of another time zone, but no other one', async ({
    sql,
  }) => {
    const opened = await openProduct(sql)
    await sql.rows(`set local timezone = 'Africa/Johannesburg'`)
    const launchAt = (now: string) => [
      opened.id,
      json({ product: { status: { was: 'live', now: 'announced' }, publish_at: { was: null, now } } }),
    ]
    await sql.rows(SAVE, launchAt('2030-12-01T06:00:00+00:00'))

    await sql.rows(SAVE, launchAt('2030-12-01T06:00:00+00:00'))

    expect(await sql.refusal(SAVE, launchAt('2030-12-01T06:30:00+00:00'))).toMatchObject({ code: 'PT409' })
  })

  test('does not overwrite a stock figure that a sale has reduced since the product was opened', async ({
    sql,
  }) => {
    const buyer = await aCustomer(sql)
    const opened = await openProduct(sql)
    const redhead = colour(opened, popper.product_variant)
    await markOrderPaid(sql, await orderOf(sql, buyer, { lines: [popper], total: 210 }))
    await sql.as(await anAdmin(sql))

    const refused = await sql.refusal(SAVE, [
      opened.id,
      json({
        variants: {
          [redhead.id]: { stock_quantity: { was: redhead.stock_quantity, now: redhead.stock_quantity + 2 } },
        },
      }),
    ])

    expect(refused).toMatchObject({
      reason: 'product_changed',
      facts: { [redhead.id]: { stock_quantity: redhead.stock_quantity - 1 } },
    })
  })

  test('refuses to delete a product’s last colour or a colour of an order that is not shipped yet', async ({
    sql,
  }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, { lines: [popper], total: 210 })
    const opened = await openProduct(sql)
    const held = colour(opened, popper.product_variant)
    const others = opened.variants.filter(({ id }) => id !== held.id).map(({ id }) => id)

    expect(await sql.refusal(SAVE, [opened.id, json({ removed: [held.id] })])).toMatchObject({
      facts: {
        [held.id]: {
          name: `Order #${orderNumberText(order.order_number)} contains ${popper.product_name}, ${popper.product_variant} and is not shipped yet. Hide the lure, or set its stock to 0, instead of deleting it.`,
        },
      },
    })
    await sql.rows(SAVE, [opened.id, json({ removed: others })])
    await sql.asShop()
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])
    await sql.as(await anAdmin(sql))
    expect(await sql.refusal(SAVE, [opened.id, json({ removed: [held.id] })])).toMatchObject({
      facts: { [held.id]: { name: 'A lure needs at least one colour.' } },
    })
  })

  test('rejects a product save that names columns other than editable ones', async ({ sql }) => {
    const opened = await openProduct(sql)

    const refused = await sql.refusal(SAVE, [
      opened.id,
      json({ product: { created_at: { was: null, now: null } } }),
    ])

    expect(refused.code).toBe('22023')
  })
})

describe('main picture', () => {
  test('keeps a product’s image_url and the list of pictures in sync', async ({ sql }) => {
    const opened = await openProduct(sql)
    const pictures = () => sql.row('select image_url, images from public.products where id = $1', [opened.id])

    await sql.rows(`update public.products set image_url = 'https://example.com/new.jpg' where id = $1`, [
      opened.id,
    ])
    expect(await pictures()).toEqual({
      image_url: 'https://example.com/new.jpg',
      images: [{ url: 'https://example.com/new.jpg', alt: POPPER_150 }],
    })

    const two = [
      { url: '/a.jpg', alt: 'The side' },
      { url: '/b.jpg', alt: 'The belly' },
    ]
    await sql.rows(`update public.products set images = $2 where id = $1`, [opened.id, json(two)])
    expect(await pictures()).toEqual({ image_url: '/a.jpg', images: two })

    await sql.rows(`update public.products set image_url = '' where id = $1`, [opened.id])
    expect(await pictures()).toEqual({ image_url: '/b.jpg', images: two.slice(1) })
  })

  test('rejects picture URLs that are neither web pages nor stored files', async ({ sql }) => {
    const opened = await openProduct(sql)

    const refused = await sql.refusal(`update public.products set images = $2 where id = $1`, [
      opened.id,
      json([
        { url: '/a.jpg', alt: '' },
        { url: 'javascript:alert(1)', alt: '' },
      ]),
    ])

    expect(refused.constraint).toBe('malformed_images')
  })
})

describe('product', () => {
  // covers A22
  test('publishes a scheduled product at the scheduled time, not earlier', async ({ sql }) => {
    const opened = await openProduct(sql)
    await sql.rows(
      `update public.products set status = 'draft', publish_at = now() + interval '1 hour' where id = $1`,
      [opened.id],
    )
    await sql.asShop()
    const publish = () => sql.value('select private.publish_products()')

    expect(await publish()).toBe(0)
    await sql.rows(`update public.products set publish_at = now() - interval '1 second' where id = $1`, [
      opened.id,
    ])
    expect([await publish(), await publish()]).toEqual([1, 0])

    expect(
      await sql.row('select status, publish_at from public.products where id = $1', [opened.id]),
    ).toEqual({
      status: 'live',
      publish_at: null,
    })
  })

  test('duplicates an announced product as a draft without a launch', async ({ sql }) => {
    const opened = await openProduct(sql)
    await sql.asShop()
    await sql.rows(
      `update public.products set status = 'announced', publish_at = now() + interval '1 day' where id = $1`,
      [opened.id],
    )
    await sql.as(await anAdmin(sql))

    const copy = await sql.value('select public.duplicate_product($1)', [opened.id])

    expect(await sql.row('select status, publish_at from public.products where id = $1', [copy])).toEqual({
      status: 'draft',
      publish_at: null,
    })
  })

  test('duplicates a product as a draft with the same colours and without stock', async ({ sql }) => {
    const opened = await openProduct(sql)

    const copies = [
      await sql.value('select public.duplicate_product($1)', [opened.id]),
      await sql.value('select public.duplicate_product($1)', [opened.id]),
    ]

    expect(
      await sql.rows(
        `select name, slug, status, price, stock_quantity from public.products where id = any ($1) order by name`,
        [copies],
      ),
    ).toEqual([
      {
        name: `${POPPER_150} (copy 2)`,
        slug: 'chisel-nose-popper-150mm-30g-copy-2',
        status: 'draft',
        price: '110.00',
        stock_quantity: 0,
      },
      {
        name: `${POPPER_150} (copy)`,
        slug: 'chisel-nose-popper-150mm-30g-copy',
        status: 'draft',
        price: '110.00',
        stock_quantity: 0,
      },
    ])
    expect(
      await sql.rows(
        'select name, sku from public.product_variants where product_id = $1 order by position',
        [copies[0]],
      ),
    ).toEqual(opened.variants.map(({ name }) => ({ name, sku: null })))
  })
})
