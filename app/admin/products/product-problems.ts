import { brokenRule } from '../list/broken-rule.ts'
import type { ProductDetails } from './product.ts'

export type ProductProblems = Partial<Record<keyof ProductDetails, string>>

const NAME = 'One line of 1 to 120 characters.'
const CATEGORY = 'One line of at most 60 characters.'
const PRICE = 'Between R0 and R1 000 000.'
const STOCK = 'A whole number from 0 to 1 000 000.'
const DESCRIPTION = 'At most 5000 characters.'
const IMAGE =
  'An address that begins with https://, or with / for a picture of this shop, and has no spaces in it.'

/** Which field a constraint of `products` is about, and what to do. */
const BROKEN: Record<string, ProductProblems> = {
  malformed_name: { name: NAME },
  name_taken: { name: 'Another lure has this name.' },
  slug_taken: { name: 'Another lure has this name.' },
  malformed_slug: { name: 'A letter or a figure is needed: the lure’s address is made of the name.' },
  malformed_category: { category: CATEGORY },
  impossible_price: { price: PRICE },
  impossible_price_with_hooks: { price_with_hooks: PRICE },
  negative_stock: { stock_quantity: STOCK },
  impossible_stock: { stock_quantity: STOCK },
  description_too_long: { description: DESCRIPTION },
  malformed_image_url: { image_url: IMAGE },
}

/** What the database refused, beside its field; the toast says it in the database's own words. */
export function problemsOf(error: Error | null): ProductProblems {
  return BROKEN[brokenRule(error) ?? ''] ?? {}
}

export const HOOKS_FOR_LESS = 'Less than the price without hooks. Change it, or confirm it below.'

/** Hooks cost something: a lower price with them is nearly always the other price changed alone. */
export function sellsHooksForLess({
  price,
  price_with_hooks,
}: Pick<ProductDetails, 'price' | 'price_with_hooks'>): boolean {
  return price_with_hooks !== null && price_with_hooks < price
}
