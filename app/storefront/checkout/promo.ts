import type { Returns, BrowserClient } from '#database'
import { centsFromRand, formatRate, randText } from '#domain/money.ts'
import {
  effectiveDiscountCents,
  meetsMinimum,
  priceCart,
  type Promo,
  type ShippingRates,
} from '#domain/pricing.ts'

type PromoRow = Returns<'validate_promo_code'>[number]

export type PromoResult = { promo: Promo } | { title: string; reason: string }

/** Validates a code for the caller and this subtotal. Throws when the request fails. */
export async function checkPromoCode(
  client: BrowserClient,
  { code, subtotalCents }: { code: string; subtotalCents: number },
): Promise<PromoResult> {
  const { data, error } = await client.rpc('validate_promo_code', { code_input: code })
  if (error?.details === 'too_many_codes') return { title: 'Too Many Codes', reason: error.message }
  if (error) throw error
  const rows: PromoRow[] = data
  const [row] = rows
  if (!row?.is_valid) {
    return { title: 'Invalid Code', reason: row?.error_message || 'This promo code is not valid' }
  }
  const promo = promoFrom(row)
  if (!meetsMinimum(promo, subtotalCents)) {
    return { title: 'Minimum Order Not Met', reason: minimumText(promo) }
  }
  return { promo }
}

export function minimumText({ minOrderCents }: Promo): string {
  return `Minimum order of ${formatRate(minOrderCents)} required for this code`
}

export function savedText(
  promo: Promo,
  { subtotalCents, rates }: { subtotalCents: number; rates: ShippingRates },
): string {
  const savedCents = effectiveDiscountCents(priceCart(subtotalCents, { promo, rates }))
  return `You saved R${randText(savedCents)}${promo.grantsFreeShipping ? ' + Free Shipping!' : ''}`
}

function promoFrom(row: PromoRow): Promo {
  return {
    code: row.code,
    discount:
      row.discount_type === 'percentage'
        ? { type: 'percentage', percent: row.discount_value }
        : { type: 'fixed', cents: centsFromRand(row.discount_value) },
    minOrderCents: centsFromRand(row.min_order_amount ?? 0),
    grantsFreeShipping: row.free_shipping,
  }
}
