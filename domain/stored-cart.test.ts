import { expect, it } from 'vitest'
import type { CartLine } from './cart.ts'
import { storedFrom, validLines, type StoredLine } from './stored-cart.ts'

const STORED: StoredLine = {
  id: 'line-1',
  product_name: 'Chisel Nose Popper 150mm/30G',
  product_variant: 'Blue Reaper 150mm',
  price: 142.5,
  quantity: 2,
  with_hooks: true,
  image_url: '/storage/v1/object/public/products/popper.jpg',
  created_at: '2026-11-21T08:00:00Z',
}
const LINE: CartLine = {
  id: 'line-1',
  productName: 'Chisel Nose Popper 150mm/30G',
  productVariant: 'Blue Reaper 150mm',
  priceCents: 142_50,
  quantity: 2,
  withHooks: true,
  imageUrl: '/storage/v1/object/public/products/popper.jpg',
  createdAt: '2026-11-21T08:00:00Z',
}

it('reads a cart from the browser’s storage as it was written', () => {
  expect(validLines([STORED])).toEqual([LINE])
  expect(storedFrom(LINE)).toEqual({ ...STORED, user_id: null })
})

it('lists stored cart lines newest first, and a repeated line once', () => {
  const older = { ...STORED, id: 'older', product_variant: 'Redhead', created_at: '2026-11-20T08:00:00Z' }
  const repeated = { ...STORED, id: 'repeated', quantity: 9 }
  const newest = { ...STORED, id: 'newest', with_hooks: false, created_at: '2026-11-22T08:00:00Z' }

  expect(validLines([older, STORED, repeated, newest]).map(({ id }) => id)).toEqual([
    'newest',
    'line-1',
    'older',
  ])
})

it.each([null, undefined, 'lines', 5, { 0: STORED, length: 1 }])(
  'takes the stored value %j, which is not a list, for an empty cart',
  (stored) => expect(validLines(stored)).toEqual([]),
)

it.each<[keyof StoredLine, unknown[]]>([
  ['id', ['', 7, 'x'.repeat(301)]],
  ['product_name', ['', null, 'x'.repeat(301)]],
  ['product_variant', ['', undefined, 'x'.repeat(301)]],
  ['price', ['142', -1, 0.001, Number.NaN, Infinity]],
  ['quantity', ['2', 0, 1.5, 1000]],
  ['with_hooks', ['true', 1, null]],
  ['image_url', ['', 'javascript:alert(1)', '/a"b', '/a b', String.raw`/a\b`, 'see https://example.com', 5]],
  ['created_at', [null, 0]],
])('ignores a stored cart line with a wrong %s, and keeps the others', (column, values) => {
  const other = { ...STORED, id: 'other', product_variant: 'Redhead' }

  for (const value of values)
    expect(validLines([{ ...STORED, [column]: value }, null, 'line', other]), String(value)).toEqual([
      { ...LINE, id: 'other', productVariant: 'Redhead' },
    ])
})

const IDS = {
  product_id: '5f0c0000-0000-4000-8000-00000000000a',
  variant_id: '5f0c0000-0000-4000-8000-00000000000b',
}

it('reads and writes the ids of a stored cart line', () => {
  const line = { ...LINE, productId: IDS.product_id, variantId: IDS.variant_id }

  expect(validLines([{ ...STORED, ...IDS }])).toEqual([line])
  expect(storedFrom(line)).toEqual({ ...STORED, ...IDS, user_id: null })
})

it.each([7, '', 'x', null, `${IDS.variant_id}) or (1.eq.1`])(
  'keeps a stored cart line without the malformed id %j',
  (id) => {
    expect(validLines([{ ...STORED, product_id: id, variant_id: id }])).toEqual([LINE])
  },
)

it.each<Partial<StoredLine>>([
  { price: 0 },
  { quantity: 1 },
  { quantity: 999 },
  { image_url: null },
  { image_url: 'http://localhost:3000/a.jpg' },
  { image_url: 'https://shop.example/a.jpg' },
  { product_name: 'x'.repeat(300) },
])('keeps a stored cart line with %j', (change) => {
  expect(validLines([{ ...STORED, ...change }])).toHaveLength(1)
})
