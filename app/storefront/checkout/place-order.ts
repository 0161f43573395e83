import type { BrowserClient } from '#database'
import { isBackendError, type BackendError } from '#app/data/backend-error.ts'
import { centsFromRand } from '#domain/money.ts'
import { orderView, type OrderView } from '#domain/order.ts'
import type { Checkout } from '#domain/validation/checkout.ts'
import type { FieldErrors } from '#domain/validation/schema.ts'
import { idempotencyKeyFor, endAttempt, unsettledAttempt, type PlaceOrderInput } from './attempt.ts'

export type PlaceOrderResult =
  | { outcome: 'placed'; order: OrderView }
  | { outcome: 'invalid'; errors: FieldErrors<Checkout> }
  /** The cart's lines show the details after a check. */
  | { outcome: 'sold-out'; message: string }
  /** `totalCents` is the total that the message names, if it names one. */
  | { outcome: 'price-changed'; message: string; totalCents: number | null }
  | { outcome: 'promo-refused' | 'amount-too-small'; message: string }

/** Longer than any response on a working connection; the idempotency key makes a retry safe. */
const TIMEOUT_MS = 30_000

/** Places an order for the shown cart, with a key that a retry repeats. Throws when the outcome is unknown. */
export async function placeOrder(
  client: BrowserClient,
  { input, cart }: { input: PlaceOrderInput; cart: unknown },
): Promise<PlaceOrderResult> {
  const previous = unsettledAttempt()?.key
  const key = idempotencyKeyFor(input, cart)
  const result = await sendOrder(client, { input, key })
  const status = result.outcome === 'placed' ? result.order.status : null
  // The order of an attempt whose response was lost, cancelled or paid since. The attempt stays until this is known: a retry would meet an
  // empty cart instead of its order.
  const hasEnded =
    status === 'cancelled' ||
    (status !== null && key === previous && status !== 'pending_payment' && (await hasLines(client)))
  recordOutcome(result)
  return hasEnded ? sendAttempt(client, { input, key: idempotencyKeyFor(input, cart) }) : result
}

/** Whether the shop has lines in the customer's cart: a paid order has taken its own. */
async function hasLines(client: BrowserClient): Promise<boolean> {
  const { data } = await client.rpc('quote_cart').throwOnError()
  return data.lines.length > 0
}

interface SentOrder {
  input: PlaceOrderInput
  key: string
}

/** Sends an attempt, which may have arrived before: the shop places its order once. Throws when the outcome is unknown. */
export async function sendAttempt(client: BrowserClient, sent: SentOrder): Promise<PlaceOrderResult> {
  const result = await sendOrder(client, sent)
  recordOutcome(result)
  return result
}

async function sendOrder(client: BrowserClient, { input, key }: SentOrder): Promise<PlaceOrderResult> {
  const { data, error } = await client
    .rpc('place_order', { idempotency_key: key, ...input })
    .abortSignal(AbortSignal.timeout(TIMEOUT_MS))
  if (!error) return { outcome: 'placed', order: orderView(data) }
  const refusal = isBackendError(error) ? resultOfRefusal(error) : null
  if (!refusal) throw error
  return refusal
}

function recordOutcome(result: PlaceOrderResult): void {
  endAttempt(result.outcome === 'placed' ? result.order.id : undefined)
}

function resultOfRefusal({ details, hint, message }: BackendError): PlaceOrderResult | null {
  switch (details ?? '') {
    case 'invalid_delivery':
      return { outcome: 'invalid', errors: hint ? JSON.parse(hint) : {} }
    case 'promo_invalid':
    case 'too_many_codes':
      return { outcome: 'promo-refused', message: message.replace(/\.$/, '') }
    case 'amount_too_small':
      return { outcome: 'amount-too-small', message }
    case 'price_changed':
    case 'cart_changed':
    case 'empty_cart':
      return {
        outcome: 'price-changed',
        message,
        totalCents: hint ? centsFromRand(JSON.parse(hint).total) : null,
      }
    case 'sold_out':
    case 'unavailable':
    case 'not_launched':
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

/** Saves the address for the next order. A failure is only logged, because the order does not need it. */
export async function saveAddress(
  client: BrowserClient,
  { userId, delivery }: { userId: string; delivery: Checkout },
): Promise<void> {
  const { full_name, phone, address, city, state, zip_code } = delivery
  const { error } = await client
    .from('profiles')
    .update({ full_name, phone, address, city, state, zip_code })
    .eq('id', userId)
  if (error) console.error('the address was not saved for the next order', error)
}
