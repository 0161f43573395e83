import { beforeEach, expect, it } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import type { CartLine } from '#domain/cart.ts'
import { localCart } from './local-cart.ts'
import { readOfflineCopy, saveOfflineCopy } from './offline-copy.ts'
import { OFFLINE_COPY_KEY } from './remote-cart.ts'

const line: CartLine = {
  id: '5f0c',
  productName: 'Popper',
  productVariant: 'Blue',
  withHooks: true,
  priceCents: 142_00,
  quantity: 2,
  imageUrl: null,
  createdAt: '2026-11-21T08:00:00Z',
}

beforeEach(installStorage)

it('returns the offline cart only to the customer who saved the copy', () => {
  saveOfflineCopy('thandi', [line])

  expect(readOfflineCopy('thandi')).toEqual([line])
  expect(readOfflineCopy('sipho')).toEqual([])
})

it.each(['', '[]', '{"user_id":"thandi"}', '{"user_id":"thandi","lines":[{"price":-1}]}', '{"user_'])(
  'reads no offline cart from the stored value %s',
  (stored) => {
    localStorage.setItem(OFFLINE_COPY_KEY, stored)

    expect(readOfflineCopy('thandi')).toEqual([])
  },
)

it('deletes the offline cart when a visitor who is not signed in loads the cart', async () => {
  saveOfflineCopy('thandi', [line])

  await localCart.load()

  expect(localStorage.getItem(OFFLINE_COPY_KEY)).toBeNull()
})
