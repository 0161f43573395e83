import { beforeEach, expect, it } from 'vitest'
import { lineKey, type NewLine } from '#domain/cart.ts'
import { installStorage } from '#test/browser-storage.ts'
import { agreeToPrices, knownPrices } from './known-prices.ts'

beforeEach(installStorage)

const popper: NewLine = {
  productName: 'Chisel Nose Popper',
  productVariant: 'Red Head',
  withHooks: true,
  priceCents: 142_00,
  quantity: 1,
  imageUrl: null,
}
const stickBait: NewLine = { ...popper, productName: 'Stick Bait', priceCents: 400_00 }
const dearerPopper = { ...popper, priceCents: 150_00 }

it('remembers the price at which a buyer first saw a line, until the buyer agrees to a new one', () => {
  knownPrices([popper])
  expect(knownPrices([dearerPopper])).toEqual({ [lineKey(popper)]: 142_00 })

  agreeToPrices([dearerPopper])
  expect(knownPrices([dearerPopper])).toEqual({ [lineKey(popper)]: 150_00 })
})

it('keeps the known price of one line when the buyer agrees to the price of another', () => {
  knownPrices([popper])
  agreeToPrices([stickBait])

  expect(knownPrices([dearerPopper, stickBait])).toEqual({
    [lineKey(popper)]: 142_00,
    [lineKey(stickBait)]: 400_00,
  })
})

it('forgets the price of a line that has left the cart', () => {
  knownPrices([popper])
  knownPrices([stickBait])

  expect(knownPrices([dearerPopper])).toEqual({ [lineKey(popper)]: 150_00 })
})

it('shows no price change when a lure is renamed, and still shows one from before', () => {
  const line = { ...popper, variantId: 'v-red' }
  const renamed = { ...line, productVariant: 'Crimson' }
  knownPrices([popper])

  expect(knownPrices([{ ...line, priceCents: 150_00 }])).toEqual({ [lineKey(line)]: 142_00 })
  expect(knownPrices([renamed])).toEqual({ [lineKey(renamed)]: 142_00 })
})

it.each(['7', '{', '{"[\\"Chisel Nose Popper\\",\\"Red Head\\",true]":"142"}'])(
  'ignores the stored prices %s, which are malformed',
  (text) => {
    localStorage.setItem('cart_known_prices', text)

    expect(knownPrices([popper])).toEqual({ [lineKey(popper)]: 142_00 })
  },
)
