import { shop } from '#shop'

/** Shipping is a flat rate, and free from a subtotal on. */
export interface ShippingRates {
  flatCents: number
  freeFromCents: number
}

export interface ShippingTerms extends ShippingRates {
  offersLocker: boolean
}

/** The terms of a promo code that affect the price. */
export interface Promo {
  code: string
  discount: { type: 'percentage'; percent: number } | { type: 'fixed'; cents: number }
  minOrderCents: number
  grantsFreeShipping: boolean
}

export interface CartPrice {
  subtotalCents: number
  shippingCents: number
  discountCents: number
  totalCents: number
}

/** Defaults of shop.config.ts; the settings page can override them. */
export const defaultShippingTerms: ShippingTerms = {
  flatCents: shop.shipping.flatRateRand * 100,
  freeFromCents: shop.shipping.freeFromRand * 100,
  offersLocker: true,
}

export function lineTotalCents(line: { priceCents: number; quantity: number }): number {
  return line.priceCents * line.quantity
}

export function subtotalOf(lines: readonly { priceCents: number; quantity: number }[]): number {
  return lines.reduce((sum, line) => sum + lineTotalCents(line), 0)
}

/**
 * Must equal `private.calculate_price()`: the database refuses an order whose total differs.
 * The free-shipping limit applies to the amount before the discount. A fixed discount larger than the subtotal pays for shipping too.
 */
export function priceCart(
  subtotalCents: number,
  { promo = null, rates = defaultShippingTerms }: { promo?: Promo | null; rates?: ShippingRates } = {},
): CartPrice {
  const validPromo = promo && meetsMinimum(promo, subtotalCents) ? promo : null
  const shipsFree = validPromo?.grantsFreeShipping || subtotalCents >= rates.freeFromCents
  const shippingCents = shipsFree ? 0 : rates.flatCents
  const discountCents = validPromo ? discountOn(subtotalCents, validPromo) : 0
  const totalCents = Math.max(0, subtotalCents + shippingCents - discountCents)
  return { subtotalCents, shippingCents, discountCents, totalCents }
}

/**
 * The discount that pages show. A fixed discount may exceed the order's value; the total is then zero, and showing the full
 * discount would not add up.
 */
export function effectiveDiscountCents(price: Omit<CartPrice, 'discountCents'>): number {
  return price.subtotalCents + price.shippingCents - price.totalCents
}

export function meetsMinimum(promo: Promo, subtotalCents: number): boolean {
  return subtotalCents >= promo.minOrderCents
}

/** Rounds half a cent up with integers, to match the database's decimals: binary fractions would be off by a cent. */
function discountOn(subtotalCents: number, { discount }: Promo): number {
  if (discount.type === 'fixed') return discount.cents
  const hundredthsOfPercent = Math.round(discount.percent * 100)
  return Math.floor((subtotalCents * hundredthsOfPercent + 5_000) / 10_000)
}

/** `part` is the progress from 0 to 1. */
export function freeShippingProgress(
  subtotalCents: number,
  { freeFromCents }: ShippingRates = defaultShippingTerms,
) {
  const leftCents = Math.max(0, freeFromCents - subtotalCents)
  return {
    leftCents,
    isReached: leftCents === 0,
    part: freeFromCents === 0 ? 1 : Math.min(1, subtotalCents / freeFromCents),
  }
}
