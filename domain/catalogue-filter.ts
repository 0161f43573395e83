import type { CatalogueSummary } from './catalogue.ts'

/** `null` where the visitor set no filter. */
export interface CatalogueFilter {
  type: string | null
  lengthMm: number | null
  weightGrams: number | null
  maxPriceRand: number | null
  isInStock: boolean
}

/** Parses `?type=Poppers&length=150&weight=30&price=150&stock=in`. Ignores invalid values. */
export function parseCatalogueFilter(params: URLSearchParams): CatalogueFilter {
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

export function hasActiveFilter(filter: CatalogueFilter): boolean {
  return Object.values(filter).some((value) => value !== null && value !== false)
}

/** Empty lists for filters that would not narrow the catalogue. */
export interface FilterChoices {
  types: string[]
  lengthsMm: number[]
  weightsGrams: number[]
  maxPricesRand: number[]
}

export function filterChoices({
  categories,
  lengthsMm,
  weightsGrams,
  pricesCents,
}: CatalogueSummary): FilterChoices {
  return {
    types: unlessSingle(categories.map(({ name }) => name)),
    lengthsMm: unlessSingle(lengthsMm),
    weightsGrams: unlessSingle(weightsGrams),
    maxPricesRand: dividingPrices(pricesCents),
  }
}

function unlessSingle<Value>(values: Value[]): Value[] {
  return values.length > 1 ? values : []
}

const ROUND_PRICES_RAND = [50, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 5000]

/** Round prices that split the catalogue, each with more products below it than the one before. */
function dividingPrices(pricesCents: number[]): number[] {
  let lastBelow = 0
  return ROUND_PRICES_RAND.filter((rand) => {
    const below = pricesCents.filter((cents) => cents <= rand * 100).length
    const divides = below > lastBelow && below < pricesCents.length
    lastBelow = Math.max(lastBelow, below)
    return divides
  })
}
