import { canSell, type HookOption, type Product, type Variant } from '#domain/catalogue.ts'

export interface ProductSelection {
  variant: Variant | null
  hooks: HookOption | null
  quantity: number
  /** The quantity of this colour in the cart, with and without hooks. */
  inCart: number
}

export interface AddToCartError {
  title: string
  description: string
  missing?: 'variant' | 'hooks'
}

/** Returns the toast that explains why this choice cannot be added to the cart; `null` when it can. */
export function addToCartError(
  product: Product,
  { variant, hooks, quantity, inCart }: ProductSelection,
): AddToCartError | null {
  if (!variant) {
    return {
      title: 'Please select a variant',
      description: 'You must select a color variant before adding to cart.',
      missing: 'variant',
    }
  }
  if (!hooks) {
    return {
      title: 'Please select hook option',
      description: 'You must choose with or without hooks before adding to cart.',
      missing: 'hooks',
    }
  }
  if (canSell(product, variant, quantity + inCart)) return null
  return tooMany(variant, inCart)
}

function tooMany({ name, available }: Variant, inCart: number): AddToCartError {
  if (available < 1) {
    return { title: 'Sold out', description: `${name} is sold out. Please choose another colour.` }
  }
  const title = `Only ${available} left`
  if (inCart === 0) {
    return {
      title,
      description: `We have ${available} of ${name} in stock. Please choose ${available} or fewer.`,
    }
  }
  const left = available - inCart
  return {
    title,
    description: `Your cart already has ${inCart} of ${name}, ${left > 0 ? `so you can add ${left} more` : "and that's all we have"}.`,
  }
}
