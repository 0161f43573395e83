import { violatedConstraint } from '../form/violated-constraint.ts'
import type { ProductDetails } from './product.ts'

export type ProductFormErrors = Partial<Record<keyof ProductDetails, string>>

/** Maps the constraints of `products` to form fields. */
const FIELDS: Record<string, keyof ProductDetails> = {
  malformed_name: 'name',
  name_taken: 'name',
  slug_taken: 'name',
  malformed_slug: 'name',
  malformed_category: 'category',
  impossible_price: 'price',
  impossible_price_with_hooks: 'price_with_hooks',
  negative_stock: 'stock_quantity',
  impossible_stock: 'stock_quantity',
  description_too_long: 'description',
  malformed_image_url: 'image_url',
}

/** Returns the error message for the field whose constraint was violated. */
export function formErrors(error: Error | null): ProductFormErrors {
  const field = FIELDS[violatedConstraint(error) ?? '']
  return error && field ? { [field]: error.message } : {}
}

export const HOOKS_CHEAPER = 'This is less than the price without hooks. Change it, or confirm it below.'

/** A lower price with hooks is almost always a mistake: someone raised the other price only. */
export function isHooksPriceLower({
  price,
  price_with_hooks,
}: Pick<ProductDetails, 'price' | 'price_with_hooks'>): boolean {
  return price_with_hooks !== null && price_with_hooks < price
}
