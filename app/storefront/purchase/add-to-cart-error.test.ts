import { expect, it } from 'vitest'
import type { Product, Variant } from '#domain/catalogue.ts'
import { addToCartError } from './add-to-cart-error.ts'

const redhead: Variant = {
  id: 'v',
  slug: 'red-head',
  name: 'Redhead 150mm',
  sku: null,
  picture: null,
  available: 2,
}
const popper: Product = {
  id: 'p',
  slug: 'chisel-nose-popper-150',
  name: 'Chisel Nose Popper 150mm/30G',
  description: '',
  category: 'Poppers',
  priceCents: 110_00,
  priceWithHooksCents: 142_00,
  picture: null,
  morePictures: [],
  variants: [redhead],
  lengthMm: 150,
  weightGrams: 30,
  hookSize: null,
  standardSpecs: [],
  specs: [],
  isMadeToOrder: false,
  launchAt: null,
  showsStock: false,
}

// covers S5.1
it('asks for a missing colour before the hook option', () => {
  expect(addToCartError(popper, { variant: null, hooks: null, quantity: 1, inCart: 0 })).toEqual({
    title: 'Please select a variant',
    description: 'You must select a color variant before adding to cart.',
    missing: 'variant',
  })
})

// covers S5.1
it('asks for a missing hook option when a colour is chosen', () => {
  expect(addToCartError(popper, { variant: redhead, hooks: null, quantity: 1, inCart: 0 })).toEqual({
    title: 'Please select hook option',
    description: 'You must choose with or without hooks before adding to cart.',
    missing: 'hooks',
  })
})

it('refuses a quantity above the stock and shows how many are left', () => {
  expect(
    addToCartError(popper, { variant: redhead, hooks: 'with-hooks', quantity: 3, inCart: 0 })?.title,
  ).toBe('Only 2 left')
  expect(
    addToCartError(popper, {
      variant: { ...redhead, available: 0 },
      hooks: 'with-hooks',
      quantity: 1,
      inCart: 0,
    })?.title,
  ).toBe('Sold out')
})

it('counts units in the cart and shows how many more the customer can add', () => {
  const oneMore = { variant: redhead, hooks: 'with-hooks', quantity: 1 } as const

  expect(addToCartError(popper, { ...oneMore, inCart: 1 })).toBeNull()
  expect(addToCartError(popper, { ...oneMore, quantity: 2, inCart: 1 })).toEqual({
    title: 'Only 2 left',
    description: 'Your cart already has 1 of Redhead 150mm, so you can add 1 more.',
  })
  expect(addToCartError(popper, { ...oneMore, inCart: 2 })).toEqual({
    title: 'Only 2 left',
    description: "Your cart already has 2 of Redhead 150mm, and that's all we have.",
  })
})

it('accepts a complete choice of colour, hooks and quantity within the stock', () => {
  expect(
    addToCartError(popper, { variant: redhead, hooks: 'without-hooks', quantity: 2, inCart: 0 }),
  ).toBeNull()
})

it('accepts any quantity of a made-to-order product', () => {
  expect(
    addToCartError(
      { ...popper, isMadeToOrder: true },
      { variant: redhead, hooks: 'with-hooks', quantity: 40, inCart: 0 },
    ),
  ).toBeNull()
})
