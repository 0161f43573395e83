import { expect, it } from 'vitest'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import { addToCartError } from './add-to-cart-error.ts'

const redhead = { ...REDHEAD, available: 2 }

// covers S5.1
it('asks for a missing colour before the hook option', () => {
  expect(addToCartError(POPPER, { variant: null, hooks: null, quantity: 1, inCart: 0 })).toEqual({
    title: 'Please select a variant',
    description: 'You must select a color variant before adding to cart.',
    missing: 'variant',
  })
})

// covers S5.1
it('asks for a missing hook option when a colour is chosen', () => {
  expect(addToCartError(POPPER, { variant: redhead, hooks: null, quantity: 1, inCart: 0 })).toEqual({
    title: 'Please select hook option',
    description: 'You must choose with or without hooks before adding to cart.',
    missing: 'hooks',
  })
})

it('refuses a quantity above the stock and shows how many are left', () => {
  expect(
    addToCartError(POPPER, { variant: redhead, hooks: 'with-hooks', quantity: 3, inCart: 0 })?.title,
  ).toBe('Only 2 left')
  expect(
    addToCartError(POPPER, {
      variant: { ...redhead, available: 0 },
      hooks: 'with-hooks',
      quantity: 1,
      inCart: 0,
    })?.title,
  ).toBe('Sold out')
})

it('counts units in the cart and shows how many more the customer can add', () => {
  const oneMore = { variant: redhead, hooks: 'with-hooks', quantity: 1 } as const

  expect(addToCartError(POPPER, { ...oneMore, inCart: 1 })).toBeNull()
  expect(addToCartError(POPPER, { ...oneMore, quantity: 2, inCart: 1 })).toEqual({
    title: 'Only 2 left',
    description: 'Your cart already has 1 of Redhead 150mm, so you can add 1 more.',
  })
  expect(addToCartError(POPPER, { ...oneMore, inCart: 2 })).toEqual({
    title: 'Only 2 left',
    description: "Your cart already has 2 of Redhead 150mm, and that's all we have.",
  })
})

it('accepts a complete choice of colour, hooks and quantity within the stock', () => {
  expect(
    addToCartError(POPPER, { variant: redhead, hooks: 'without-hooks', quantity: 2, inCart: 0 }),
  ).toBeNull()
})

it('accepts any quantity of a made-to-order product', () => {
  expect(
    addToCartError(
      { ...POPPER, isMadeToOrder: true },
      { variant: redhead, hooks: 'with-hooks', quantity: 40, inCart: 0 },
    ),
  ).toBeNull()
})
