import type { ShopClient } from '#database'
import type { RouterContextProvider } from 'react-router'
import { centsFromRand } from '#domain/money.ts'
import { defaultShippingTerms, type ShippingTerms } from '#domain/pricing.ts'
import { memoiseContext, supabaseContext } from '#server/context.ts'

/** Returns the shipping rates. Falls back to the defaults of `shop.config.ts`, so that static pages work without the database. */
export async function loadShippingTerms(context: Readonly<RouterContextProvider>): Promise<ShippingTerms> {
  const memoise = context.get(memoiseContext)
  return (
    (await memoise('shipping terms', () => findShippingTerms(context.get(supabaseContext)))) ??
    defaultShippingTerms
  )
}

async function findShippingTerms(shop: ShopClient): Promise<ShippingTerms | null> {
  const { data } = await shop.rpc('shop_terms', undefined, { get: true })
  if (!data) return null
  const { shipping_rate, free_shipping_from, offers_locker } = data
  return {
    flatCents: centsFromRand(shipping_rate),
    freeFromCents: centsFromRand(free_shipping_from),
    offersLocker: offers_locker,
  }
}
