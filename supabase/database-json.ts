/** Types of the JSON that functions return and columns contain. PostgreSQL's catalogue says only `jsonb`. */

import type { Database } from './database.types.ts'

type RowOf<Name extends keyof Database['public']['Tables']> = Database['public']['Tables'][Name]['Row']
type OrderRow = RowOf<'orders'>

/** Counts of the work that waits for staff. */
export interface AttentionCounts {
  to_make: number
  to_ship: number
  awaiting_payment: number
  issues: number
  failed_mails: number
  /** Cancelled orders with money; admins only. */
  to_refund?: number
  low_stock: number
  pending_photos: number
  open_messages: number
}

export interface SetupSteps {
  second_factor: boolean
  settings: boolean
  stock: boolean
  first_order: boolean
  live_payments: boolean
}

export interface SecondFactorRule {
  is_required: boolean
  is_public_address: boolean
}

/** In rand. */
export interface ShopTerms {
  shipping_rate: number
  free_shipping_from: number
  offers_locker: boolean
}

/** The report on one row of a catalogue file. */
export interface ImportRowReport {
  outcome: 'same' | 'changed' | 'new' | 'wrong'
  problems: Record<string, string>
  /** By column: the present value and the value in the file. */
  changes: Record<string, [unknown, unknown]>
}

/** The result of a bulk action on orders. */
export interface BulkResult {
  done: string[]
  /** `order_number` is null for an order that was deleted meanwhile. */
  skipped: { order_number: number | null; reason: string }[]
}

/** The effects of cancelling some orders. */
export interface ProductRemovalPreview {
  /** Units of all colours. */
  stock: number
  /** Customers who have it in their carts. */
  carts: number
  /** People who wait for a stock alert. */
  waiting: number
}

export interface CancellationPreview {
  orders: number
  mails: number
  /** Rand. */
  to_refund: number
  /** Orders whose parcel has left. */
  shipped: number
}

/** In rand. */
export interface Quote {
  subtotal: number
  shipping: number
  discount: number
  total: number
}

/** The price of a cart with a promo code; `message` says why the code is not valid for it. */
export interface PromoCodeTest extends Quote {
  message: string | null
}

/** The cart at present prices and stock. */
export interface CartQuote {
  lines: {
    id: string
    /** Null when the line is not for sale, or its variant was deleted. */
    variant_id: string | null
    product_name: string
    product_variant: string
    with_hooks: boolean
    /** Null when this product, variant or hook choice is no longer sold. */
    price: number | null
    available: number
    made_to_order: boolean
    /** Of an announced product; null for every other. */
    launch_at: string | null
  }[]
}

/** In rand, over all orders. Sales are orders that were paid and not cancelled since. */
export interface RevenueTotals {
  orders: number
  /** Before refunds. */
  gross: number
  refunds: number
  /** Net: gross less refunds. */
  revenue: number
  paid_orders: number
  /** Average net revenue of a paid order. */
  average: number
  awaiting: number
}

export interface MarketingConsent {
  is_given: boolean
  /** Whether a mailed confirmation link is unused and still works. */
  is_pending: boolean
  wording: string | null
  changed_at: string | null
}

/** A client with totals, consent and possible duplicates. */
export interface ClientOverview extends RowOf<'profiles'> {
  is_admin: boolean
  last_sign_in_at: string | null
  orders: number
  paid_orders: number
  /** Rand, net of refunds. */
  spend: number
  refunded: number
  last_order_at: string | null
  consent: { is_given: boolean; wording: string | null; changed_at: string | null }
  duplicates: Duplicate[]
}

/** Another account that may belong to the same person. `problem` says why it cannot be merged. */
interface Duplicate extends Pick<RowOf<'profiles'>, 'id' | 'full_name' | 'email' | 'phone' | 'created_at'> {
  orders: number
  problem: string | null
}

/** An order as its customer sees it. Amounts are rand. */
export interface CustomerOrder extends Omit<
  OrderRow,
  | 'courier_company_id'
  | 'created_at'
  | 'customer_id'
  | 'idempotency_key'
  | 'placed_at'
  | 'promo_code_id'
  | 'reserved_until'
  | 'subtotal_amount'
  | 'updated_at'
> {
  placed_at: string
  subtotal_amount: number
  /** The amount to pay now: the total, or the rest after a short payment. */
  amount_due: number
  /** Money received and not refunded. */
  held_amount: number
  /** What the shop waived of a short payment that it accepted. */
  waived_amount: number
  /** Money that the shop must refund since the order was cancelled. */
  refund_due: number
  courier: { name: string; tracking_url: string | null } | null
  items: CustomerOrderItem[]
  /** `done_at` is null while PayFast has not refunded it yet. */
  refunds: { amount: number; created_at: string; done_at: string | null }[]
  timeline: CustomerOrderEvent[]
  /** Whether the customer can pay now. Also false while an underpayment waits for the shop's decision. */
  may_be_paid: boolean
  is_being_confirmed: boolean
}

type CustomerOrderItem = Pick<
  RowOf<'order_items'>,
  | 'id'
  | 'product_name'
  | 'product_variant'
  | 'with_hooks'
  | 'price'
  | 'quantity'
  // Units that were refunded and returned to stock.
  | 'returned_quantity'
  | 'image_url'
>

interface CustomerOrderEvent {
  kind: 'placed' | 'paid' | 'reinstated' | 'cancelled' | 'status_changed' | 'tracking_changed'
  status: string | null
  happened_at: string
}

/** The device of a session. */
export interface Device {
  browser: string | null
  address: string | null
}

/** `words` is PayFast's answer, `note` an admin's text, `was` the state that a withdrawal ended. */
export interface RefundDetail {
  words?: string
  note?: string
  was?: 'failed' | 'done'
}
