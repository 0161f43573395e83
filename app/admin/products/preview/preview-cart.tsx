import type { ReactNode } from 'react'
import { CartContext, useCart } from '#app/storefront/cart/cart.tsx'
import { useToast } from '#app/ui/toaster.tsx'

/** Replaces `add` in the cart context, so that a preview adds nothing. */
export function PreviewCart({ children }: { children: ReactNode }) {
  const cart = useCart()
  const toast = useToast()
  const add = async () => toast({ title: 'This is a preview', description: 'Nothing was added to the cart.' })

  return <CartContext value={{ ...cart, add }}>{children}</CartContext>
}
