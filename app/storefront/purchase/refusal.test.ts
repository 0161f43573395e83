import { expect, it } from 'vitest'
import type { Product, Variant } from '#domain/catalogue.ts'
import { refusalOf } from './refusal.ts'

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
  model: null,
  lengthMm: 150,
  weightGrams: 30,
  hookSize: null,
  specs: [],
  isMadeToOrder: false,
}

// covers S5.1
it('asks for the variant first', () => {
  expect(refusalOf(popper, { variant: null, hooks: null, quantity: 1, inCart: 0 })).toEqual({
    title: 'Please select a variant',
    description: 'You must select a color variant before adding to cart.',
    missing: 'variant',
  })
})

// covers S5.1
it('asks for the hooks next', () => {
  expect(refusalOf(popper, { variant: redhead, hooks: null, quantity: 1, inCart: 0 })).toEqual({
    title: 'Please select hook option',
    description: 'You must choose with or without hooks before adding to cart.',
    missing: 'hooks',
  })
})

it('refuses more than there are, and says how many there are', () => {
  expect(refusalOf(popper, { variant: redhead, hooks: 'with-hooks', quantity: 3, inCart: 0 })?.title).toBe(
    'Only 2 left',
  )
  expect(
    refusalOf(popper, { variant: { ...redhead, available: 0 }, hooks: 'with-hooks', quantity: 1, inCart: 0 })
      ?.title,
  ).toBe('Sold out')
})

it('counts what the cart already holds, and says how many more there are', () => {
  const oneMore = { variant: redhead, hooks: 'with-hooks', quantity: 1 } as const

  expect(refusalOf(popper, { ...oneMore, inCart: 1 })).toBeNull()
  expect(refusalOf(popper, { ...oneMore, quantity: 2, inCart: 1 })).toEqual({
    title: 'Only 2 left',
    description: 'Your cart already has 1 of Redhead 150mm, so you can add 1 more.',
  })
  expect(refusalOf(popper, { ...oneMore, inCart: 2 })).toEqual({
    title: 'Only 2 left',
    description: "Your cart already has 2 of Redhead 150mm, and that's all we have.",
  })
})

it('lets a whole choice pass', () => {
  expect(refusalOf(popper, { variant: redhead, hooks: 'without-hooks', quantity: 2, inCart: 0 })).toBeNull()
})

it('has no limit for what is made to order', () => {
  expect(
    refusalOf(
      { ...popper, isMadeToOrder: true },
      { variant: redhead, hooks: 'with-hooks', quantity: 40, inCart: 0 },
    ),
  ).toBeNull()
})
