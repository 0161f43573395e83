import { canSell, type HookOption, type Product, type Variant } from '#domain/catalogue.ts'

export interface Choice {
  variant: Variant | null
  hooks: HookOption | null
  quantity: number
}

/** Why this choice cannot go into the cart, as the shop says it; `null` when it can. */
export function refusalOf(product: Product, { variant, hooks, quantity }: Choice) {
  if (!variant) {
    return {
      title: 'Please select a variant',
      description: 'You must select a color variant before adding to cart.',
    }
  }
  if (!hooks) {
    return {
      title: 'Please select hook option',
      description: 'You must choose with or without hooks before adding to cart.',
    }
  }
  if (canSell(product, variant, quantity)) return null
  if (variant.available < 1) {
    return { title: 'Sold out', description: `${variant.name} is sold out. Please choose another colour.` }
  }
  return {
    title: `Only ${variant.available} left`,
    description: `We have ${variant.available} of ${variant.name} on the shelf. Please choose ${variant.available} or fewer.`,
  }
}
