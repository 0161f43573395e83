import { beforeEach, expect, it } from 'vitest'
import { giveStorage } from '#test/browser-storage.ts'
import type { CartLine } from '#domain/cart.ts'
import { guestKeeper, LAST_SEEN_KEY } from './keepers.ts'
import { lastSeen, rememberSeen } from './last-seen.ts'

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

beforeEach(giveStorage)

it('is there again for the customer who saw it, and for nobody else', () => {
  rememberSeen('thandi', [line])

  expect(lastSeen('thandi')).toEqual([line])
  expect(lastSeen('sipho')).toEqual([])
})

it.each(['', '[]', '{"user_id":"thandi"}', '{"user_id":"thandi","lines":[{"price":-1}]}', '{"user_'])(
  'takes %s for nothing',
  (stored) => {
    localStorage.setItem(LAST_SEEN_KEY, stored)

    expect(lastSeen('thandi')).toEqual([])
  },
)

it('is gone once nobody is signed in', async () => {
  rememberSeen('thandi', [line])

  await guestKeeper.load()

  expect(localStorage.getItem(LAST_SEEN_KEY)).toBeNull()
})
