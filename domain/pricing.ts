import { shop } from '#shop'

/** What shipping costs: the same for locker and door, nothing from a subtotal on. */
export interface ShippingRates {
  flatCents: number
  freeFromCents: number
}

/** The rates with the ways to deliver that are offered. */
export interface ShippingTerms extends ShippingRates {
  offersLocker: boolean
}

/** A promo code as far as the price goes. */
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

/** Those the shop begins with; the brothers change them on the settings page. */
export const shopTerms: ShippingTerms = {
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
 * What a subtotal costs in all, as `private.calculate_price()` in the database says it again before it takes an order.
 * The free-shipping limit applies to the amount before the discount. A fixed discount larger than the subtotal pays for shipping too.
 */
export function priceCart(
  subtotalCents: number,
  { promo = null, rates = shopTerms }: { promo?: Promo | null; rates?: ShippingRates } = {},
): CartPrice {
  const holding = promo && meetsMinimum(promo, subtotalCents) ? promo : null
  const shipsFree = holding?.grantsFreeShipping || subtotalCents >= rates.freeFromCents
  const shippingCents = shipsFree ? 0 : rates.flatCents
  const discountCents = holding ? discountOn(subtotalCents, holding) : 0
  const totalCents = Math.max(0, subtotalCents + shippingCents - discountCents)
  return { subtotalCents, shippingCents, discountCents, totalCents }
}

/**
 * The discount as pages show it: what the code took off what was due. A fixed discount may be worth more than the order;
 * the formula then ends at a total of zero, and a page that showed the full value would not add up.
 */
export function discountTakenCents(price: Omit<CartPrice, 'discountCents'>): number {
  return price.subtotalCents + price.shippingCents - price.totalCents
}

export function meetsMinimum(promo: Promo, subtotalCents: number): boolean {
  return subtotalCents >= promo.minOrderCents
}

/** Half a cent is rounded up, on whole numbers: the database counts in decimals and has no binary fractions to be off by. */
function discountOn(subtotalCents: number, { discount }: Promo): number {
  if (discount.type === 'fixed') return discount.cents
  const hundredthsOfPercent = Math.round(discount.percent * 100)
  return Math.floor((subtotalCents * hundredthsOfPercent + 5_000) / 10_000)
}

/** How far a cart is from free shipping. */
export function freeShippingProgress(subtotalCents: number, { freeFromCents }: ShippingRates = shopTerms) {
  const leftCents = Math.max(0, freeFromCents - subtotalCents)
  return {
    leftCents,
    isReached: leftCents === 0,
    part: freeFromCents === 0 ? 1 : Math.min(1, subtotalCents / freeFromCents),
  }
}
