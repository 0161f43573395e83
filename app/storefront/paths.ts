import { href } from 'react-router'
import type { Product, Variant } from '#domain/catalogue.ts'

/** Returns the path of a product, or of one of its colours. */
export function productPath(product: Pick<Product, 'slug'>, variant?: Pick<Variant, 'slug'> | null): string {
  return href('/products/:slug/:colour?', { slug: product.slug, colour: variant?.slug })
}
