import type { SupabaseClient } from '@supabase/supabase-js'
import type { RouterContextProvider } from 'react-router'
import { centsFromRand } from '#domain/money.ts'
import { shopTerms, type ShippingTerms } from '#domain/pricing.ts'
import { keepContext, supabaseContext } from '#server/context.ts'

interface TermsRow {
  shipping_rate: number
  free_shipping_from: number
  offers_locker: boolean
}

/** What the database charges. Should it not answer, a page that needs nothing else from it still stands, with what the shop begins with. */
export async function loadShippingTerms(context: Readonly<RouterContextProvider>): Promise<ShippingTerms> {
  const keep = context.get(keepContext)
  return (await keep('shipping terms', () => findShippingTerms(context.get(supabaseContext)))) ?? shopTerms
}

async function findShippingTerms(shop: SupabaseClient): Promise<ShippingTerms | null> {
  const { data } = await shop.rpc('shop_terms', {}, { get: true })
  if (!data) return null
  const { shipping_rate, free_shipping_from, offers_locker }: TermsRow = data
  return {
    flatCents: centsFromRand(shipping_rate),
    freeFromCents: centsFromRand(free_shipping_from),
    offersLocker: offers_locker,
  }
}
