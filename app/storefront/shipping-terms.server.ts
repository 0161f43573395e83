import type { ShopClient } from '#database'
import type { RouterContextProvider } from 'react-router'
import { centsFromRand } from '#domain/money.ts'
import { shopTerms, type ShippingTerms } from '#domain/pricing.ts'
import { keepContext, supabaseContext } from '#server/context.ts'

/** What the database charges. Should it not answer, a page that needs nothing else from it still stands, with what the shop begins with. */
export async function loadShippingTerms(context: Readonly<RouterContextProvider>): Promise<ShippingTerms> {
  const keep = context.get(keepContext)
  return (await keep('shipping terms', () => findShippingTerms(context.get(supabaseContext)))) ?? shopTerms
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
