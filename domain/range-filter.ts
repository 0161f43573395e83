import type { Range } from './catalogue.ts'

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

/** What there is to choose between: only what divides the range. */
export interface FilterChoices {
  types: string[]
  lengthsMm: number[]
  weightsGrams: number[]
  maxPricesRand: number[]
}

export function filterChoices({ kinds, lengthsMm, weightsGrams, pricesCents }: Range): FilterChoices {
  return {
    types: several(kinds.map(({ name }) => name)),
    lengthsMm: several(lengthsMm),
    weightsGrams: several(weightsGrams),
    maxPricesRand: dividingPrices(pricesCents),
  }
}

function several<Value>(values: Value[]): Value[] {
  return values.length > 1 ? values : []
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
