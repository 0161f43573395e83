import { shop } from '#shop'
import type { RecordedRow } from '../history/change-words.ts'
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

/** Returns the columns to save, in rand. An empty field is `null`, which means the default of `shop.config.ts`. */
export function valuesOf({ rate, freeFrom, offers_locker }: ShippingDraft): ShippingValues {
  return { shipping_rate: parseNumber(rate), free_shipping_from: parseNumber(freeFrom), offers_locker }
}

/** Keeps `null` where a saved `null` still shows its default, so that other changes do not fix what follows `shop.config.ts`. */
export function keepDefaults(values: ShippingValues, saved: ShippingValues): ShippingValues {
  const keep = (column: 'shipping_rate' | 'free_shipping_from', rand: number) =>
    saved[column] === null && values[column] === rand ? null : values[column]
  return {
    ...values,
    shipping_rate: keep('shipping_rate', flatRateRand),
    free_shipping_from: keep('free_shipping_from', freeFromRand),
  }
}

/** Fills in the defaults of `shop.config.ts`, so that an untouched default does not look changed beside the same saved value. */
export function withDefaults(version: RecordedRow): RecordedRow {
  const { shipping_rate: rate, free_shipping_from: freeFrom } = version
  return { ...version, shipping_rate: rate ?? flatRateRand, free_shipping_from: freeFrom ?? freeFromRand }
}

/** Returns whether both save the same; an empty rate equals the default. */
export function isSameDraft(one: ShippingDraft, other: ShippingDraft): boolean {
  const [a, b] = [shippingDraftOf(valuesOf(one)), shippingDraftOf(valuesOf(other))]
  return a.rate === b.rate && a.freeFrom === b.freeFrom && a.offers_locker === b.offers_locker
}

function parseNumber(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
