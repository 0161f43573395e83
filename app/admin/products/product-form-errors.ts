import { violatedConstraint } from '../list/violated-constraint.ts'
import type { ProductDetails } from './product.ts'

export type ProductFormErrors = Partial<Record<keyof ProductDetails, string>>

/** The field that each constraint of `products` is about. */
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

/** Repeats the toast's sentence beside the field that it is about. */
export function formErrors(error: Error | null): ProductFormErrors {
  const field = FIELDS[violatedConstraint(error) ?? '']
  return error && field ? { [field]: error.message } : {}
}

export const HOOKS_CHEAPER = 'Less than the price without hooks. Change it, or confirm it below.'

/** Hooks cost something: a lower price with them is nearly always the other price changed alone. */
export function isHooksPriceLower({
  price,
  price_with_hooks,
}: Pick<ProductDetails, 'price' | 'price_with_hooks'>): boolean {
  return price_with_hooks !== null && price_with_hooks < price
}
