import { shop } from '#shop'
import type { ShopSettings } from './settings.ts'

const { flatRateRand, freeFromRand } = shop.shipping

/** The shipping settings as typed. */
export interface ShippingDraft {
  rate: string
  freeFrom: string
  offers_locker: boolean
}

export function shippingDraftOf(settings: ShippingValues): ShippingDraft {
  return {
    rate: String(settings.shipping_rate ?? flatRateRand),
    freeFrom: String(settings.free_shipping_from ?? freeFromRand),
    offers_locker: settings.offers_locker,
  }
}

type ShippingValues = Pick<ShopSettings, 'shipping_rate' | 'free_shipping_from' | 'offers_locker'>
type SeenRates = Pick<ShopSettings, 'shipping_rate' | 'free_shipping_from'>

/**
 * Returns the columns to save, in rand. `null` means the default of `shop.config.ts`: for an empty field, and for one that still shows
 * the default which applied in `seen`.
 */
export function valuesOf({ rate, freeFrom, offers_locker }: ShippingDraft, seen: SeenRates): ShippingValues {
  return {
    shipping_rate: columnOf(rate, { seen: seen.shipping_rate, fallback: flatRateRand }),
    free_shipping_from: columnOf(freeFrom, { seen: seen.free_shipping_from, fallback: freeFromRand }),
    offers_locker,
  }
}

const DEFAULTS = { shipping_rate: null, free_shipping_from: null }

/** Returns whether both save the same; an empty rate equals the default. */
export function isSameDraft(one: ShippingDraft, other: ShippingDraft): boolean {
  const [a, b] = [valuesOf(one, DEFAULTS), valuesOf(other, DEFAULTS)]
  return (
    a.shipping_rate === b.shipping_rate &&
    a.free_shipping_from === b.free_shipping_from &&
    a.offers_locker === b.offers_locker
  )
}

function columnOf(
  text: string,
  { seen, fallback }: { seen: number | null; fallback: number },
): number | null {
  if (text.trim() === '') return null
  const typed = Number(text)
  return seen === null && typed === fallback ? null : typed
}
