import type { ShopClient, Tables } from '#database'
import { isBackendError, type BackendError } from '#app/session/backend-error.ts'
import type { Checkout } from '#domain/validation/checkout.ts'
import type { FieldErrors } from '#domain/validation/schema.ts'
import { settleAttempt, type Wish } from './attempt.ts'

export type PlacedOrder = Pick<Tables<'orders'>, 'id' | 'order_number' | 'status' | 'total_amount'>

export type Placing =
  | { outcome: 'placed'; order: PlacedOrder }
  | { outcome: 'invalid'; errors: FieldErrors<Checkout> }
  /** Told on the lines, after a look at the catalogue. */
  | { outcome: 'price-changed' | 'sold-out'; message: string }
  | { outcome: 'promo-refused'; message: string }

/** Longer than any answer takes on a working line; the key makes asking again harmless. */
const PATIENCE_MS = 30_000

/** Asks the database to make the cart an order. Throws when it is not known what became of it. */
export async function placeOrder(
  client: ShopClient,
  { wish, key }: { wish: Wish; key: string },
): Promise<Placing> {
  const { data, error } = await client
    .rpc('place_order', { idempotency_key: key, ...wish })
    .abortSignal(AbortSignal.timeout(PATIENCE_MS))
    .single<PlacedOrder>()
  if (!error) {
    settleAttempt()
    return { outcome: 'placed', order: data }
  }
  const refused = isBackendError(error) ? placingRefused(error) : null
  if (!refused) throw error
  settleAttempt()
  return refused
}

function placingRefused({ details, hint, message }: BackendError): Placing | null {
  switch (details ?? '') {
    case 'invalid_delivery':
      return { outcome: 'invalid', errors: hint ? JSON.parse(hint) : {} }
    case 'promo_invalid':
      return { outcome: 'promo-refused', message }
    case 'price_changed':
    case 'empty_cart':
      return { outcome: 'price-changed', message }
    case 'sold_out':
    case 'unavailable':
    case 'unknown_product':
    case 'hooks_not_offered':
      return {
        outcome: 'sold-out',
        message: `${message} Change or remove the marked lines, then order again.`,
      }
    default:
      return null
  }
}

/** Keeps the address for the next order. The order stands without it, so a failure is only logged. */
export async function rememberAddress(
  client: ShopClient,
  { userId, delivery }: { userId: string; delivery: Checkout },
): Promise<void> {
  const { full_name, phone, address, city, state, zip_code } = delivery
  const { error } = await client
    .from('profiles')
    .update({ full_name, phone, address, city, state, zip_code })
    .eq('id', userId)
  if (error) console.error('the address was not kept for the next order', error)
}
