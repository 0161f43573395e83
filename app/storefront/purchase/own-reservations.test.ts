import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { delivery, popper, putInCart } from '#test/shopping.ts'
import { fetchOwnReservations } from './own-reservations.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('reads what the unpaid order of a buyer keeps from all others', async () => {
  const buyer = await shop.signUp()
  browser.client = buyer.client
  await putInCart(buyer, { ...popper, quantity: 2 })
  expect(await fetchOwnReservations()).toEqual(new Map())

  await buyer.client
    .rpc('place_order', { idempotency_key: crypto.randomUUID(), delivery, expected_total: 320 })
    .throwOnError()

  expect([...(await fetchOwnReservations()).values()]).toEqual([2])
})
