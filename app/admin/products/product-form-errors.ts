import { PRODUCT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import { violatedConstraint } from '../form/save-unless-changed.ts'
import type { ProductDetails } from './product.ts'

export type ProductFormErrors = Partial<Record<keyof ProductDetails, string>>

/** Constraints of columns that are no fields of the product's page. */
const OTHER_CONSTRAINTS: Record<string, string> = {
  negative_stock: 'stock_quantity',
  impossible_stock: 'stock_quantity',
  malformed_image_url: 'image_url',
}

/** Returns the error message for the field whose constraint was violated. */
export function formErrors(error: Error | null): ProductFormErrors {
  const constraint = violatedConstraint(error) ?? ''
  const [column = OTHER_CONSTRAINTS[constraint]] =
    Object.entries<ProductField>(PRODUCT_FIELDS).find(
      ([, { constraints = {} }]) => constraint in constraints,
    ) ?? []
  // A new product's address is made from its name.
  return error && column ? { [column === 'slug' ? 'name' : column]: error.message } : {}
}

export const HOOKS_CHEAPER = 'This is less than the price without hooks. Change it, or confirm it below.'
export const HOOKS_FOR_LESS = 'Sell it cheaper with hooks than without'

/** A lower price with hooks is almost always a mistake: someone raised the other price only. */
export function isHooksPriceLower({
  price,
  price_with_hooks,
}: Pick<ProductDetails, 'price' | 'price_with_hooks'>): boolean {
  return price_with_hooks !== null && price_with_hooks < price
}
