/** What is sold: a product is a lure in one shape and size, its variants are the colours. */

export interface LurePicture {
  url: string
  alt: string
}

export interface Variant {
  id: string
  slug: string
  name: string
  sku: string | null
  picture: LurePicture | null
  /** Bodies that can be bought now: on the shelf and not held for another buyer. */
  available: number
}

export interface Product {
  id: string
  slug: string
  name: string
  description: string
  category: string | null
  /** Without hooks. */
  priceCents: number
  /** Rigged; `null` when it is not sold with hooks. */
  priceWithHooksCents: number | null
  /** The main one. */
  picture: LurePicture | null
  /** Those that follow it on the lure's own page. */
  morePictures: LurePicture[]
  variants: Variant[]
  model: string | null
  lengthMm: number | null
  weightGrams: number | null
  hookSize: string | null
  specs: Spec[]
  /** What is not on the shelf is made for the buyer. */
  isMadeToOrder: boolean
}

export interface Spec {
  label: string
  value: string
}

export type HookOption = 'with-hooks' | 'without-hooks'

/** The price for one; the base price as long as nothing is chosen. */
export function priceCents(product: Product, hooks: HookOption | null): number {
  if (hooks === 'with-hooks') return product.priceWithHooksCents ?? product.priceCents
  return product.priceCents
}

/** What hooks add to the price; `null` when it is not sold with hooks. */
export function hooksExtraCents(product: Product): number | null {
  if (product.priceWithHooksCents === null) return null
  return product.priceWithHooksCents - product.priceCents
}

/** The pictures of a card: the main one first, then each colour's. */
export function cardPictures(product: Product): { picture: LurePicture; variant: Variant | null }[] {
  const main = product.picture ? [{ picture: product.picture, variant: null }] : []
  const colours = product.variants.flatMap((variant) =>
    variant.picture ? [{ picture: variant.picture, variant }] : [],
  )
  return [...main, ...colours]
}

/** From here down the shop says how many are left. */
const FEW = 5

export type Stock =
  | { state: 'in-stock' }
  | { state: 'few-left'; left: number }
  | { state: 'made-to-order' }
  | { state: 'sold-out' }

/** Of one colour; of the lure as a whole while none is chosen. */
export function stockOf(product: Product, variant: Variant | null): Stock {
  const colours = variant ? [variant] : product.variants
  const left = colours.reduce((sum, { available }) => sum + available, 0)
  if (left > FEW) return { state: 'in-stock' }
  if (left > 0) return { state: 'few-left', left }
  return product.isMadeToOrder ? { state: 'made-to-order' } : { state: 'sold-out' }
}

export function stockText(stock: Stock): string {
  switch (stock.state) {
    case 'in-stock':
      return 'In stock'
    case 'few-left':
      return `Only ${stock.left} left`
    case 'made-to-order':
      return 'Made to order'
    case 'sold-out':
      return 'Sold out'
  }
}

/** Whether so many can be sold: made-to-order lures have no limit but the bench. */
export function canSell(product: Product, variant: Variant, quantity: number): boolean {
  return product.isMadeToOrder || variant.available >= quantity
}

/** A kind of lure, without its lures. */
export interface Kind {
  name: string
  lures: number
  fromCents: number
  /** Shortest first. */
  lengthsMm: number[]
}

/** What the range is made of; the kinds in the shop's order, figures from the smallest on. */
export interface Range {
  lures: number
  kinds: Kind[]
  lengthsMm: number[]
  weightsGrams: number[]
  pricesCents: number[]
}

/** `180 mm · 150 g`: the two figures an angler looks for first. */
export function sizeText(product: Pick<Product, 'lengthMm' | 'weightGrams'>): string {
  const parts = [
    product.lengthMm && `${product.lengthMm} mm`,
    product.weightGrams && `${product.weightGrams} g`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** `150 mm, 200 mm`; of more than a handful the shortest and the longest. */
export function lengthsText(lengthsMm: number[]): string {
  if (lengthsMm.length > 4) return `${lengthsMm[0]}–${lengthsMm.at(-1)} mm`
  return lengthsMm.map((mm) => `${mm} mm`).join(', ')
}
