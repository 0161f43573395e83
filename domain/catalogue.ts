/** A product is a lure in one shape and size; its variants are the colours. */

export interface ProductPicture {
  url: string
  alt: string
}

export interface Variant {
  id: string
  slug: string
  name: string
  sku: string | null
  picture: ProductPicture | null
  /** Units that can be bought now: in stock and not reserved for another buyer. */
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
  /** `null` when it is not sold with hooks. */
  priceWithHooksCents: number | null
  /** The main picture. */
  picture: ProductPicture | null
  /** Further pictures, for the product page. */
  morePictures: ProductPicture[]
  variants: Variant[]
  lengthMm: number | null
  weightGrams: number | null
  hookSize: string | null
  /** Its fields that are specifications, such as its length, as texts. */
  standardSpecs: Spec[]
  /** Further details that an admin added. */
  specs: Spec[]
  /** Can be ordered beyond its stock. */
  isMadeToOrder: boolean
  /** When the sale of an announced product starts; null once it is live. */
  launchAt: string | null
  /** A limited run: pages say how many are left, also when there are many. */
  showsStock: boolean
}

export interface Spec {
  label: string
  value: string
}

export type HookOption = 'with-hooks' | 'without-hooks'

/** The unit price; the lowest one before a hook option is chosen. */
export function priceCents(product: Product, hooks: HookOption | null): number {
  const { priceCents: without, priceWithHooksCents: withHooks } = product
  if (hooks === 'with-hooks') return withHooks ?? without
  return hooks ? without : Math.min(without, withHooks ?? without)
}

/** The difference between both prices; `null` when it is not sold with hooks. */
export function hooksExtraCents(product: Product): number | null {
  if (product.priceWithHooksCents === null) return null
  return product.priceWithHooksCents - product.priceCents
}

/** The pictures of a card: the main one first, then each colour's. */
export function cardPictures(product: Product): { picture: ProductPicture; variant: Variant | null }[] {
  const main = product.picture ? [{ picture: product.picture, variant: null }] : []
  const colours = product.variants.flatMap((variant) =>
    variant.picture ? [{ picture: variant.picture, variant }] : [],
  )
  return [...main, ...colours]
}

/** At or below this, pages show the number of units left. */
const FEW = 5

export type Stock =
  /** `left`: only for a limited run. */
  | { state: 'in-stock'; left?: number }
  | { state: 'few-left'; left: number }
  | { state: 'made-to-order' }
  | { state: 'sold-out' }
  /** Before its launch. `left`: units at the launch, only for a limited run. */
  | { state: 'announced'; left?: number }

/** The stock of a variant, or of all variants together while none is chosen. */
export function stockOf(product: Product, variant: Variant | null): Stock {
  const colours = variant ? [variant] : product.variants
  const left = colours.reduce((sum, { available }) => sum + available, 0)
  const shown = product.showsStock && left > 0 ? { left } : {}
  if (product.launchAt !== null) return { state: 'announced', ...shown }
  if (left > FEW) return { state: 'in-stock', ...shown }
  if (left > 0) return { state: 'few-left', left }
  return product.isMadeToOrder ? { state: 'made-to-order' } : { state: 'sold-out' }
}

export function stockText(stock: Stock): string {
  switch (stock.state) {
    case 'in-stock':
      return stock.left === undefined ? 'In stock' : `${stock.left} left`
    case 'few-left':
      return `Only ${stock.left} left`
    case 'made-to-order':
      return 'Made to order'
    case 'sold-out':
      return 'Sold out'
    case 'announced':
      return stock.left === undefined ? 'Not on sale yet' : `${stock.left} at the launch`
  }
}

export function canSell(product: Product, variant: Variant, quantity: number): boolean {
  return product.launchAt === null && (product.isMadeToOrder || variant.available >= quantity)
}

/** The stock of a colour where there is room only for what matters; null: in stock, or not on sale yet. */
export function stockNote(product: Product, variant: Variant): string | null {
  const stock = stockOf(product, variant)
  const isPlain = stock.state === 'in-stock' || stock.state === 'announced'
  return isPlain && stock.left === undefined ? null : stockText(stock)
}

/** A category of the catalogue. */
export interface CategorySummary {
  name: string
  productCount: number
  fromCents: number
  /** Shortest first. */
  lengthsMm: number[]
}

/** The listed products' categories, in catalogue order, and their filter values, in ascending order. */
export interface CatalogueSummary {
  productCount: number
  categories: CategorySummary[]
  lengthsMm: number[]
  weightsGrams: number[]
  pricesCents: number[]
}

/** `180 mm · 150 g` */
export function sizeText(product: Pick<Product, 'lengthMm' | 'weightGrams'>): string {
  const parts = [
    product.lengthMm && `${product.lengthMm} mm`,
    product.weightGrams && `${product.weightGrams} g`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** `150 mm, 200 mm`; more than four become `90–200 mm`. */
export function lengthsText(lengthsMm: number[]): string {
  if (lengthsMm.length > 4) return `${lengthsMm[0]}–${lengthsMm.at(-1)} mm`
  return lengthsMm.map((mm) => `${mm} mm`).join(', ')
}
