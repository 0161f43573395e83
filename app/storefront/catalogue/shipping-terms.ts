import { useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '#app/root.tsx'
import { formatRate } from '#domain/money.ts'
import { defaultShippingTerms, type ShippingTerms } from '#domain/pricing.ts'

/** The shipping terms in the shop's settings. */
export function useShippingTerms(): ShippingTerms {
  return useRouteLoaderData<typeof rootLoader>('root')?.terms ?? defaultShippingTerms
}

export interface ShippingTexts {
  /** `R100` */
  flatRate: string
  /** The subtotal for free shipping, `R1500`. */
  freeFrom: string
  /** Texts name lockers only while the checkout offers them. */
  offersLocker: boolean
}

export function shippingTexts({ flatCents, freeFromCents, offersLocker }: ShippingTerms): ShippingTexts {
  return { flatRate: formatRate(flatCents), freeFrom: formatRate(freeFromCents), offersLocker }
}
