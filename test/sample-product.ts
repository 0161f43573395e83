import type { Product, Variant } from '#domain/catalogue.ts'
import { POPPER_150 } from './product-names.ts'

export const REDHEAD: Variant = {
  id: 'v1',
  slug: 'red-head',
  name: 'Redhead 150mm',
  sku: null,
  picture: { url: '/red.jpg', alt: 'red' },
  available: 6,
}

/** In one colour. */
export const POPPER: Product = {
  id: 'p1',
  slug: 'chisel-nose-popper-150',
  name: POPPER_150,
  description: '',
  category: 'Poppers',
  priceCents: 110_00,
  priceWithHooksCents: 142_00,
  picture: { url: '/main.jpg', alt: 'main' },
  morePictures: [],
  variants: [REDHEAD],
  lengthMm: 150,
  weightGrams: 30,
  hookSize: '3/0 treble',
  standardSpecs: [],
  specs: [],
  isMadeToOrder: false,
  launchAt: null,
  showsStock: false,
}
