import type { Product } from '#domain/catalogue.ts'

/** What the size guide tells of a lure. */
export type MeasuredLure = Pick<Product, 'slug' | 'name' | 'weightGrams' | 'hookSize'> & { lengthMm: number }

/** The lures whose length is known. */
export function measuredLures(products: Product[]): MeasuredLure[] {
  return products.flatMap(({ slug, name, lengthMm, weightGrams, hookSize }) =>
    lengthMm ? { slug, name, lengthMm, weightGrams, hookSize } : [],
  )
}
