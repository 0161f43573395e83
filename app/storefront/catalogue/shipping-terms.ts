import { useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '#app/root.tsx'
import { randText } from '#domain/money.ts'
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
}

export function shippingTexts({ flatCents, freeFromCents }: ShippingTerms): ShippingTexts {
  return { flatRate: rateText(flatCents), freeFrom: rateText(freeFromCents) }
}

/** Without a space between thousands, as the specification writes the rates. */
function rateText(cents: number): string {
  return `R${cents % 100 === 0 ? cents / 100 : randText(cents)}`
}
