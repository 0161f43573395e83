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

it('asks for the variant first', () => {
  expect(refusalOf(popper, { variant: null, hooks: null, quantity: 1 })).toEqual({
    title: 'Please select a variant',
    description: 'You must select a color variant before adding to cart.',
  })
})

it('asks for the hooks next', () => {
  expect(refusalOf(popper, { variant: redhead, hooks: null, quantity: 1 })).toEqual({
    title: 'Please select hook option',
    description: 'You must choose with or without hooks before adding to cart.',
  })
})

it('refuses more than there are, and says how many there are', () => {
  expect(refusalOf(popper, { variant: redhead, hooks: 'with-hooks', quantity: 3 })?.title).toBe('Only 2 left')
  expect(
    refusalOf(popper, { variant: { ...redhead, available: 0 }, hooks: 'with-hooks', quantity: 1 })?.title,
  ).toBe('Sold out')
})

it('lets a whole choice pass', () => {
  expect(refusalOf(popper, { variant: redhead, hooks: 'without-hooks', quantity: 2 })).toBeNull()
})

it('has no limit for what is made to order', () => {
  expect(
    refusalOf({ ...popper, isMadeToOrder: true }, { variant: redhead, hooks: 'with-hooks', quantity: 40 }),
  ).toBeNull()
})
