import { useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '#app/root.tsx'
import { shopTerms, type ShippingTerms } from '#domain/pricing.ts'

/** What shipping costs and which ways there are, as the brothers have set it. */
export function useShippingTerms(): ShippingTerms {
  return useRouteLoaderData<typeof rootLoader>('root')?.terms ?? shopTerms
}

export interface ShippingWords {
  /** `R100` */
  flatRate: string
  /** The subtotal from which it is free, `R1500`. */
  freeFrom: string
}

/** The terms as texts say them. */
export function shippingWords({ flatCents, freeFromCents }: ShippingTerms): ShippingWords {
  return { flatRate: `R${flatCents / 100}`, freeFrom: `R${freeFromCents / 100}` }
}
