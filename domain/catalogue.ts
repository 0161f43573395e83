import { matches } from './search.ts'

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

export interface Collection {
  category: string
  members: Product[]
}

/** The kinds of lure, in the order of the range. */
export function byCategory(products: Product[]): Collection[] {
  const groups = Map.groupBy(products, (product) => product.category ?? 'Others')
  return [...groups].map(([category, members]) => ({ category, members }))
}

/** `180 mm · 150 g`: the two figures an angler looks for first. */
export function sizeText(product: Pick<Product, 'lengthMm' | 'weightGrams'>): string {
  const parts = [
    product.lengthMm && `${product.lengthMm} mm`,
    product.weightGrams && `${product.weightGrams} g`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Finds by name, category and colour. */
export function matchesSearch(product: Product, query: string): boolean {
  const colours = product.variants.map((variant) => variant.name)
  return matches([product.name, product.category, ...colours].join(' '), query)
}
