import type { Product } from '#domain/catalogue.ts'
import { shop } from '#shop'

/** `bar`: a plain length. */
export type OutlineShape = 'stick-bait' | 'popper' | 'bar'

export type MeasuredLure = Pick<Product, 'slug' | 'name' | 'weightGrams' | 'hookSize'> & {
  lengthMm: number
  shape: OutlineShape
}

/** Leaves out products without a length. */
export function measuredLures(products: Product[]): MeasuredLure[] {
  return products.flatMap(({ slug, name, category, lengthMm, weightGrams, hookSize }) =>
    lengthMm ? { slug, name, lengthMm, weightGrams, hookSize, shape: shapeOf(category) } : [],
  )
}

function shapeOf(category: string | null): OutlineShape {
  return category && /popper/i.test(category) ? 'popper' : 'stick-bait'
}

/** Compares a length with the named sizes: "Medium", "between Medium and Large", "shorter than Small". */
export function sizeOf(lengthMm: number): string {
  const exact = shop.sizes.find((size) => size.lengthMm === lengthMm)
  if (exact) return exact.name
  const shorter = shop.sizes.filter((size) => size.lengthMm < lengthMm).at(-1)
  const longer = shop.sizes.find((size) => size.lengthMm > lengthMm)
  if (shorter && longer) return `between ${shorter.name} and ${longer.name}`
  return longer ? `shorter than ${longer.name}` : `longer than ${shorter?.name}`
}
