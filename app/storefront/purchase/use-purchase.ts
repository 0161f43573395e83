import { useState } from 'react'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { bodiesWanted } from '#domain/cart.ts'
import { priceCents, type HookOption, type Product, type Variant } from '#domain/catalogue.ts'
import { addToCartError, type AddToCartError } from './add-to-cart-error.ts'

/** The state of a purchase on a product card or page: hooks, quantity, total. */
export function usePurchase(product: Product, variant: Variant | null) {
  const cart = useCart()
  const toast = useToast()
  const [chosenHooks, setHooks] = useState<HookOption | null>(null)
  const [quantity, setQuantity] = useState(1)

  // A product that is not sold with hooks needs no choice.
  const hooks = product.priceWithHooksCents === null ? 'without-hooks' : chosenHooks
  const unitCents = priceCents(product, hooks)

  /** Adds the choice to the cart. Otherwise shows why not and returns the missing choice, if any. */
  function addToCart(): AddToCartError['missing'] {
    const inCart = variant
      ? bodiesWanted(cart.lines, {
          productName: product.name,
          productVariant: variant.name,
          variantId: variant.id,
        })
      : 0
    const error = addToCartError(product, { variant, hooks, quantity, inCart })
    if (error || !variant) {
      if (error) toast({ title: error.title, description: error.description, tone: 'destructive' })
      return error?.missing
    }
    void cart.add({
      productId: product.id,
      variantId: variant.id,
      productName: product.name,
      productVariant: variant.name,
      priceCents: unitCents,
      quantity,
      withHooks: hooks === 'with-hooks',
      imageUrl: variant.picture?.url ?? product.picture?.url ?? null,
    })
  }

  return {
    hooks,
    setHooks,
    quantity,
    setQuantity,
    totalCents: unitCents * quantity,
    isComplete: variant !== null && hooks !== null,
    addToCart,
  }
}

export type Purchase = ReturnType<typeof usePurchase>
