import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import type { NewLine } from '#domain/cart.ts'
import { installStorage } from '#test/browser-storage.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { changeGuestCart, readGuestCart } from './guest-cart.ts'
import { mergeGuestCart } from './merge-guest-cart.ts'
import { changeServerCart, loadServerCart, type ServerCart } from './server-cart.ts'

let shop: TestShop
let person: Person
let cart: ServerCart

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

beforeEach(async () => {
  installStorage()
  person = await shop.signUp()
  cart = { client: person.client, userId: person.userId }
})

const popper: NewLine = {
  productName: 'Chisel Nose Popper 150mm/30G',
  productVariant: 'Blue Reaper 150mm',
  withHooks: true,
  priceCents: 142_00,
  quantity: 2,
  imageUrl: null,
}
const stickBait: NewLine = {
  productName: 'Slow Sinking Stick Bait (180mm/150G)',
  productVariant: 'Mahi Mahi',
  withHooks: false,
  priceCents: 400_00,
  quantity: 1,
  imageUrl: null,
}

const chooseAsGuest = (...lines: NewLine[]) => lines.forEach((line) => changeGuestCart({ kind: 'add', line }))
const contents = async () =>
  Object.fromEntries((await loadServerCart(cart)).map((line) => [line.productVariant, line.quantity]))

// covers S4.7
it('moves every guest line to the account’s cart and empties the guest cart', async () => {
  chooseAsGuest(popper, stickBait)

  await mergeGuestCart(cart)

  expect(await contents()).toEqual({ 'Blue Reaper 150mm': 2, 'Mahi Mahi': 1 })
  expect(readGuestCart()).toEqual([])
})

it('adds a guest line’s quantity to the same line of the account’s cart', async () => {
  await changeServerCart(cart, { kind: 'add', line: { ...popper, quantity: 3 } }, [])
  chooseAsGuest(popper)

  await mergeGuestCart(cart)

  expect(await contents()).toEqual({ 'Blue Reaper 150mm': 5 })
})

it('merges a guest cart line at the current price', async () => {
  chooseAsGuest({ ...popper, priceCents: 99_00 })

  await mergeGuestCart(cart)

  expect((await loadServerCart(cart))[0]?.priceCents).toBe(142_00)
})

it('leaves discontinued lines in the guest cart and merges all others', async () => {
  chooseAsGuest({ ...stickBait, productVariant: 'No such colour' }, popper)

  await mergeGuestCart(cart)

  expect(readGuestCart().map((line) => line.productVariant)).toEqual(['No such colour'])
  expect(await contents()).toEqual({ 'Blue Reaper 150mm': 2 })
})

// covers S4.8 S8.3 S23
it.each([1, 2, 3, 4, 5])(
  'merges the same quantities when the connection fails at call %i',
  async (failingCall) => {
    await changeServerCart(cart, { kind: 'add', line: { ...popper, quantity: 3 } }, [])
    chooseAsGuest(popper, stickBait)

    // Odd numbers lose the request, even ones only the response: the browser cannot tell them apart.
    const unreliable = {
      ...cart,
      client: await failingClient(failingCall, { losesResponseOnly: failingCall % 2 === 0 }),
    }
    await mergeGuestCart(unreliable).catch(() => undefined)
    await mergeGuestCart(cart)

    expect(await contents()).toEqual({ 'Blue Reaper 150mm': 5, 'Mahi Mahi': 1 })
    expect(readGuestCart()).toEqual([])
  },
)

// covers S23
it.each([2, 3])(
  'does not double merged quantities when the response to call %i is lost',
  async (failingCall) => {
    await changeServerCart(cart, { kind: 'add', line: { ...popper, quantity: 3 } }, [])
    chooseAsGuest(popper, stickBait)

    await mergeGuestCart({
      ...cart,
      client: await failingClient(failingCall, { losesResponseOnly: true }),
    }).catch(() => undefined)
    await mergeGuestCart(cart)

    expect(await contents()).toEqual({ 'Blue Reaper 150mm': 5, 'Mahi Mahi': 1 })
  },
)

/** A client whose network fails once, at the given call. */
async function failingClient(failingCall: number, { losesResponseOnly }: { losesResponseOnly: boolean }) {
  const { data } = await person.client.auth.getSession()
  const token = data.session?.access_token ?? ''
  let calls = 0
  return createClient<ShopDatabase>(shop.settings.publicUrl, shop.keys.publishable, {
    accessToken: async () => token,
    global: {
      fetch: async (input, init) => {
        calls += 1
        if (calls !== failingCall) return shop.fetch(new Request(input, init))
        if (losesResponseOnly) await shop.fetch(new Request(input, init))
        throw new TypeError('Failed to fetch')
      },
    },
  })
}
