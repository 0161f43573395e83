import { expect, it } from 'vitest'
import { PRODUCT_FIELDS } from '#domain/product-fields.ts'
import { productFrom, productRow } from './product-row.ts'

const row = {
  ...Object.fromEntries(Object.keys(PRODUCT_FIELDS).map((column) => [column, null])),
  id: 'p1',
  slug: 'popper',
  name: 'Popper',
  description: 'Casts 80 m and weighs 150 g; 3 men made it.',
  category: '',
  price: 110.5,
  price_with_hooks: 142,
  image_url: '/main.jpg',
  images: [],
  length_mm: 150,
  weight_grams: 30,
  hook_size: '',
  specs: [],
  made_to_order: false,
  status: 'live',
  publish_at: '2026-11-01T08:00:00Z',
  shows_stock: false,
  product_variants: [
    { id: 'v2', slug: 'blue', name: 'Blue', sku: null, image_url: '/blue.jpg', image_alt: '', position: 2 },
    { id: 'v1', slug: 'red', name: 'Red', sku: 'R-1', image_url: null, image_alt: null, position: 1 },
  ],
}

const parse = (change: object = {}, available = new Map([['v1', 4]])) =>
  productFrom(productRow.parse({ ...row, ...change }), available)

it('lists the colours of a product in the shop’s order, and a colour of unknown stock as sold out', () => {
  expect(parse().variants.map(({ name, available }) => [name, available])).toEqual([
    ['Red', 4],
    ['Blue', 0],
  ])
})

it('lists colours of equal position in the order of their ids, as the admin area does', () => {
  const tied = row.product_variants.map((variant) => ({ ...variant, position: 0 }))

  expect(parse({ product_variants: tied }).variants.map(({ id }) => id)).toEqual(['v1', 'v2'])
})

it('converts prices to cents and keeps apart what is not sold with hooks', () => {
  expect(parse()).toMatchObject({ priceCents: 110_50, priceWithHooksCents: 142_00 })
  expect(parse({ price_with_hooks: null }).priceWithHooksCents).toBeNull()
})

it('counts down only to the launch of an announced product', () => {
  expect(parse().launchAt).toBeNull()
  expect(parse({ status: 'announced' }).launchAt).toBe('2026-11-01T08:00:00Z')
})

it('describes the picture of a colour without a description of its own', () => {
  expect(parse().variants[1]?.picture).toEqual({ url: '/blue.jpg', alt: 'Popper in Blue' })
})

it('shows the main picture when a product has no list of pictures, and the list otherwise', () => {
  const images = [
    { url: '/1.jpg', alt: 'one' },
    { url: '/2.jpg', alt: 'two' },
  ]

  expect(parse().picture).toEqual({ url: '/main.jpg', alt: 'Popper' })
  expect(parse({ images })).toMatchObject({ picture: images[0], morePictures: [images[1]] })
})

it('keeps numbers with their units on one line, and other numbers breakable', () => {
  expect(parse().description).toBe('Casts 80\u00a0m and weighs 150\u00a0g; 3 men made it.')
})

it('lists the specifications that a product has, with their units', () => {
  expect(parse().standardSpecs).toContainEqual({ label: 'Length', value: '150 mm' })
  expect(parse({ length_mm: null }).standardSpecs).not.toContainEqual(
    expect.objectContaining({ label: 'Length' }),
  )
})

it('shows a product although its list of pictures or details is malformed', () => {
  expect(parse({ images: 'none', specs: { label: 1 } })).toMatchObject({ morePictures: [], specs: [] })
})
