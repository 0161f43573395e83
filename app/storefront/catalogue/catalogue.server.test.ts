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
it('lists products with both prices in the shop’s order', async () => {
  const products = await listProducts(shop.client(), { limit: 24 })

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

it('lists each colour with its picture and available quantity', async () => {
  const [stickBait] = await listProducts(shop.client(), { limit: 24 })

  expect(stickBait?.variants.map(({ name }) => name)).toEqual([
    'Blue Reaper',
    'Red Head',
    'Slachback',
    'Mahi Mahi',
    'Pink Stinger Stick Bait',
  ])
  expect(stickBait?.variants.every(({ picture, available }) => picture?.alt && available > 0)).toBe(true)
})

it('finds a product by slug and lists products in slices', async () => {
  const all = await listProducts(shop.client(), { limit: 24 })

  expect(await findProduct(shop.client(), 'chisel-nose-popper-150')).toEqual(all[1])
  expect(await findProduct(shop.client(), 'no-such-lure')).toBeNull()
  expect(await listProducts(shop.client(), { limit: 2 })).toEqual(all.slice(0, 2))
  expect(await listProducts(shop.client(), { limit: 2, offset: 2 })).toEqual(all.slice(2))
})

it('finds products that match a search or a filter, one page at a time', async () => {
  const [, small, big] = await listProducts(shop.client(), { limit: 24 })

  expect(await findProducts(shop.client(), { query: 'poper', limit: 24 })).toEqual({
    count: 2,
    products: [small, big],
  })
  expect(await findProducts(shop.client(), { type: 'Poppers', limit: 1, offset: 1 })).toEqual({
    count: 2,
    products: [big],
  })
  expect(await findProducts(shop.client(), { query: 'spoon', limit: 24 })).toEqual({
    count: 0,
    products: [],
  })
})

it('summarises the categories, sizes and prices of the catalogue', async () => {
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

it('omits hidden products from the catalogue, even for admins', async () => {
  const hidden = await admin.client
    .from('products')
    .update({ status: 'hidden' })
    .eq('slug', 'chisel-nose-popper-200')
  expect(hidden.error).toBeNull()

  expect((await listProducts(shop.client(), { limit: 24 })).map(({ slug }) => slug)).not.toContain(
    'chisel-nose-popper-200',
  )
  expect((await listProducts(admin.client, { limit: 24 })).map(({ slug }) => slug)).not.toContain(
    'chisel-nose-popper-200',
  )
})

it('shows a product that has no colours, pictures or hooks', async () => {
  const made = await admin.client.from('products').insert({ name: 'Bare Pencil', price: 95.5, category: '' })
  expect(made.error).toBeNull()

  const bare = (await listProducts(shop.client(), { limit: 24 })).find(({ name }) => name === 'Bare Pencil')

  expect(bare).toMatchObject({
    priceCents: 95_50,
    priceWithHooksCents: null,
    category: null,
    picture: null,
    specs: [],
    variants: [{ name: 'Standard', available: 0, picture: null }],
  })
})
