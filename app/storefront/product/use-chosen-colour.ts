import { useState } from 'react'
import { useNavigation } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import type { Product, Variant } from '#domain/catalogue.ts'

/**
 * The colour that the page's address names; once another is pressed it is that one, though its page is still on its way: what goes
 * into the cart is what was chosen last.
 */
export function useChosenColour(product: Product, addressed: string | null) {
  const coming = useNavigation().location?.pathname
  const [pressed, setPressed] = useState<string | null>(null)
  const [arrived, setArrived] = useState(addressed)
  if (arrived !== addressed) {
    setArrived(addressed)
    setPressed(null)
  }

  const onItsWay = product.variants.find((variant) => productPath(product, variant) === coming)?.id
  const chosen = pressed ?? onItsWay ?? addressed
  return {
    variant: product.variants.find(({ id }) => id === chosen) ?? null,
    choose: ({ id }: Variant) => setPressed(id),
  }
}
