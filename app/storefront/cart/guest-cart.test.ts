import { beforeEach, expect, it } from 'vitest'
import { lineKey, type NewLine } from '#domain/cart.ts'
import { installStorage } from '#test/browser-storage.ts'
import { changeGuestCart, GUEST_CART_KEY, readGuestCart } from './guest-cart.ts'

const popper: NewLine = {
  productName: 'Chisel Nose Popper 150mm/30G',
  productVariant: 'Blue Reaper 150mm',
  withHooks: true,
  priceCents: 142_00,
  quantity: 2,
  imageUrl: '/storage/v1/object/public/catalogue/popper.jpg',
}

beforeEach(installStorage)

// covers S3.2 S4.6 S9.8
it('stores guest cart lines in the specified format', () => {
  changeGuestCart({ kind: 'add', line: popper })

  expect(JSON.parse(localStorage.getItem(GUEST_CART_KEY) ?? '')).toEqual([
    {
      id: expect.any(String),
      user_id: null,
      product_name: 'Chisel Nose Popper 150mm/30G',
      product_variant: 'Blue Reaper 150mm',
      price: 142,
      quantity: 2,
      with_hooks: true,
      image_url: '/storage/v1/object/public/catalogue/popper.jpg',
      created_at: expect.any(String),
    },
  ])
})

it('keeps guest cart lines that another tab has stored in the meantime', () => {
  const [line] = changeGuestCart({ kind: 'add', line: popper })
  changeGuestCart({ kind: 'add', line: { ...popper, withHooks: false } })
  changeGuestCart({ kind: 'set-quantity', key: lineKey(line!), quantity: 5 })

  expect(readGuestCart().map(({ quantity }) => quantity)).toEqual([2, 5])
})

it('removes the guest cart’s storage key when the cart is cleared', () => {
  changeGuestCart({ kind: 'add', line: popper })
  changeGuestCart({ kind: 'clear' })

  expect(localStorage.getItem(GUEST_CART_KEY)).toBeNull()
})

const stored = {
  id: 'a',
  product_name: 'Popper',
  product_variant: 'Blue',
  price: 110,
  quantity: 1,
  with_hooks: false,
  image_url: null,
  created_at: '2026-11-20T10:00:00Z',
}

it.each([
  ['broken JSON', '[{'],
  ['an object', '{"a":1}'],
  ['null', 'null'],
  ['foreign rows', '[1, null, "x", {"sku": 4}]'],
  ['a price that is not a number', JSON.stringify([{ ...stored, price: 'free' }])],
  ['a negative price', JSON.stringify([{ ...stored, price: -5 }])],
  ['a fractional quantity', JSON.stringify([{ ...stored, quantity: 1.5 }])],
  ['a scripted picture', JSON.stringify([{ ...stored, image_url: 'javascript:alert(1)' }])],
])('reads an empty guest cart from the stored value %s', (_, text) => {
  localStorage.setItem(GUEST_CART_KEY, text)

  expect(readGuestCart()).toEqual([])
})

it('reads valid guest cart lines, newest first, and skips invalid ones', () => {
  const newer = { ...stored, id: 'b', with_hooks: true, created_at: '2026-11-21T10:00:00Z' }
  localStorage.setItem(GUEST_CART_KEY, JSON.stringify([stored, { foreign: true }, newer]))

  expect(readGuestCart().map((line) => line.id)).toEqual(['b', 'a'])
})
