import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { describeCatalogue, findProduct, findProducts, listProducts } from './catalogue.server.ts'

let shop: TestShop
let admin: Person

beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
})
afterAll(() => shop.close())

// covers S9.9
it('shows a visitor the range with both prices, in the shop’s order', async () => {
  const products = await listProducts(shop.client(), { atMost: 24 })

  expect(
    products.map(({ name, category, priceCents, priceWithHooksCents }) => [
      name,
      category,
      priceCents,
      priceWithHooksCents,
    ]),
  ).toEqual([
    ['Slow Sinking Stick Bait (180mm/150G)', 'Stick Baits', 400_00, 500_00],
    ['Chisel Nose Popper 150mm/30G', 'Poppers', 110_00, 142_00],
    ['Chisel Nose Popper 200mm/50G', 'Poppers', 140_00, 204_00],
  ])
})

it('brings each colour with its picture and what can be bought of it', async () => {
  const [stickBait] = await listProducts(shop.client(), { atMost: 24 })

  expect(stickBait?.variants.map(({ name }) => name)).toEqual([
    'Blue Reaper',
    'Red Head',
    'Slachback',
    'Mahi Mahi',
    'Pink Stinger Stick Bait',
  ])
  expect(stickBait?.variants.every(({ picture, available }) => picture?.alt && available > 0)).toBe(true)
})

it('finds one lure as the range shows it, and the first of the range', async () => {
  const range = await listProducts(shop.client(), { atMost: 24 })

  expect(await findProduct(shop.client(), 'chisel-nose-popper-150')).toEqual(range[1])
  expect(await findProduct(shop.client(), 'no-such-lure')).toBeNull()
  expect(await listProducts(shop.client(), { atMost: 2 })).toEqual(range.slice(0, 2))
  expect(await listProducts(shop.client(), { atMost: 2, skipped: 2 })).toEqual(range.slice(2))
})

it('finds what answers a search and a filter as the range shows it, a page at a time', async () => {
  const [, small, big] = await listProducts(shop.client(), { atMost: 24 })

  expect(await findProducts(shop.client(), { query: 'poper', atMost: 24 })).toEqual({
    count: 2,
    products: [small, big],
  })
  expect(await findProducts(shop.client(), { type: 'Poppers', atMost: 1, skipped: 1 })).toEqual({
    count: 2,
    products: [big],
  })
  expect(await findProducts(shop.client(), { query: 'spoon', atMost: 24 })).toEqual({
    count: 0,
    products: [],
  })
})

it('tells what the range is made of', async () => {
  expect(await describeCatalogue(shop.client())).toEqual({
    productCount: 3,
    categories: [
      { name: 'Stick Baits', productCount: 1, fromCents: 400_00, lengthsMm: [180] },
      { name: 'Poppers', productCount: 2, fromCents: 110_00, lengthsMm: [150, 200] },
    ],
    lengthsMm: [150, 180, 200],
    weightsGrams: [30, 50, 150],
    pricesCents: [110_00, 140_00, 400_00],
  })
})

it('leaves out what is hidden, also for the admin who hid it', async () => {
  const hidden = await admin.client
    .from('products')
    .update({ status: 'hidden' })
    .eq('slug', 'chisel-nose-popper-200')
  expect(hidden.error).toBeNull()

  expect((await listProducts(shop.client(), { atMost: 24 })).map(({ slug }) => slug)).not.toContain(
    'chisel-nose-popper-200',
  )
  expect((await listProducts(admin.client, { atMost: 24 })).map(({ slug }) => slug)).not.toContain(
    'chisel-nose-popper-200',
  )
})

it('shows a lure that has no colours, pictures or hooks of its own yet', async () => {
  const made = await admin.client.from('products').insert({ name: 'Bare Pencil', price: 95.5, category: '' })
  expect(made.error).toBeNull()

  const bare = (await listProducts(shop.client(), { atMost: 24 })).find(({ name }) => name === 'Bare Pencil')

  expect(bare).toMatchObject({
    priceCents: 95_50,
    priceWithHooksCents: null,
    category: null,
    picture: null,
    specs: [],
    variants: [{ name: 'Standard', available: 0, picture: null }],
  })
})
