import { useState } from 'react'
import { useNavigation } from 'react-router'
import { productPath } from '#app/storefront/paths.ts'
import type { Product, Variant } from '#domain/catalogue.ts'

/**
 * Returns the colour in the page's address, or the one pressed last while its page is still loading, so that the cart always
 * gets the latest choice.
 */
export function useChosenColour(product: Product, addressed: string | null) {
  const nextPath = useNavigation().location?.pathname
  const [pressed, setPressed] = useState<string | null>(null)
  const [shownId, setShownId] = useState(addressed)
  if (shownId !== addressed) {
    setShownId(addressed)
    setPressed(null)
  }

  const nextId = product.variants.find((variant) => productPath(product, variant) === nextPath)?.id
  const chosen = pressed ?? nextId ?? addressed
  return {
    variant: product.variants.find(({ id }) => id === chosen) ?? null,
    choose: ({ id }: Variant) => setPressed(id),
  }
}
