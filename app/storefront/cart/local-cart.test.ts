import { beforeEach, describe, expect, it } from 'vitest'
import { addition, type CartLine, type NewLine } from '#domain/cart.ts'
import { installStorage } from '#test/browser-storage.ts'
import {
  changeGuestCart,
  GUEST_CART_KEY,
  localCart,
  OFFLINE_COPY_KEY,
  readGuestCart,
  readOfflineCopy,
  saveOfflineCopy,
} from './local-cart.ts'

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
  changeGuestCart(addition(popper))

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
  changeGuestCart(addition(popper))
  changeGuestCart(addition({ ...popper, withHooks: false }))
  changeGuestCart({ kind: 'set-quantity', line: popper, quantity: 5 })

  expect(readGuestCart().map(({ quantity }) => quantity)).toEqual([2, 5])
})

it('removes the guest cart’s storage key when the cart is cleared', () => {
  changeGuestCart(addition(popper))
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

describe('the offline copy of a customer’s cart', () => {
  const line: CartLine = { ...popper, id: '5f0c', createdAt: '2026-11-21T08:00:00Z' }

  it('returns the offline cart only to the customer who saved the copy', () => {
    saveOfflineCopy('thandi', [line])

    expect(readOfflineCopy('thandi')).toEqual([line])
    expect(readOfflineCopy('sipho')).toEqual([])
  })

  it.each(['', '[]', '{"user_id":"thandi"}', '{"user_id":"thandi","lines":[{"price":-1}]}', '{"user_'])(
    'reads no offline cart from the stored value %s',
    (text) => {
      localStorage.setItem(OFFLINE_COPY_KEY, text)

      expect(readOfflineCopy('thandi')).toEqual([])
    },
  )

  it('deletes the offline cart when a visitor who is not signed in loads the cart', async () => {
    saveOfflineCopy('thandi', [line])

    await localCart.reload()

    expect(localStorage.getItem(OFFLINE_COPY_KEY)).toBeNull()
  })
})
