import { stockOf, type Product } from './catalogue.ts'

/** What a visitor wants to see of the range; `null` where they do not mind. */
export interface RangeFilter {
  type: string | null
  lengthMm: number | null
  weightGrams: number | null
  maxPriceRand: number | null
  isInStock: boolean
}

/** From the page's address: `?type=Poppers&length=150&weight=30&price=150&stock=in`. What makes no sense is passed over. */
export function filterFrom(params: URLSearchParams): RangeFilter {
  return {
    type: params.get('type')?.slice(0, 60) || null,
    lengthMm: wholeNumber(params.get('length')),
    weightGrams: wholeNumber(params.get('weight')),
    maxPriceRand: wholeNumber(params.get('price')),
    isInStock: params.get('stock') === 'in',
  }
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}

export function isFiltering(filter: RangeFilter): boolean {
  return Object.values(filter).some((wish) => wish !== null && wish !== false)
}

export function fits(product: Product, filter: RangeFilter): boolean {
  const { type, lengthMm, weightGrams, maxPriceRand, isInStock } = filter
  return (
    (type === null || product.category === type) &&
    (lengthMm === null || product.lengthMm === lengthMm) &&
    (weightGrams === null || product.weightGrams === weightGrams) &&
    (maxPriceRand === null || product.priceCents <= maxPriceRand * 100) &&
    (!isInStock || product.variants.some((variant) => isOnShelf(product, variant)))
  )
}

function isOnShelf(product: Product, variant: Product['variants'][number]): boolean {
  return ['in-stock', 'few-left'].includes(stockOf(product, variant).state)
}

/** What there is to choose between: only what divides the range. */
export interface FilterChoices {
  types: string[]
  lengthsMm: number[]
  weightsGrams: number[]
  maxPricesRand: number[]
}

export function filterChoices(products: Product[]): FilterChoices {
  return {
    types: several(products.flatMap(({ category }) => category ?? [])),
    lengthsMm: several(products.flatMap(({ lengthMm }) => lengthMm ?? [])).toSorted((a, b) => a - b),
    weightsGrams: several(products.flatMap(({ weightGrams }) => weightGrams ?? [])).toSorted((a, b) => a - b),
    maxPricesRand: dividingPrices(products.map(({ priceCents }) => priceCents)),
  }
}

function several<Value>(values: Value[]): Value[] {
  const distinct = [...new Set(values)]
  return distinct.length > 1 ? distinct : []
}

const ROUND_PRICES_RAND = [50, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 5000]

/** Round prices with some of the range below them and some above, none of which says the same as the one before. */
function dividingPrices(pricesCents: number[]): number[] {
  let lastBelow = 0
  return ROUND_PRICES_RAND.filter((rand) => {
    const below = pricesCents.filter((cents) => cents <= rand * 100).length
    const divides = below > lastBelow && below < pricesCents.length
    lastBelow = Math.max(lastBelow, below)
    return divides
  })
}
