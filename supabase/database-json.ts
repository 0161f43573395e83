/** The shapes behind `jsonb`: what functions return and columns hold as JSON. The catalogue knows only that it is JSON. */

import type { Database } from './database.types.ts'

type Row<Name extends keyof Database['public']['Tables']> = Database['public']['Tables'][Name]['Row']
type OrderRow = Row<'orders'>

/** What waits for staff; each figure counts the list it opens. */
export interface WaitingWork {
  to_make: number
  to_ship: number
  awaiting_payment: number
  concerns: number
  failed_mails: number
  /** Cancelled orders with money; admins only. */
  to_refund?: number
  low_stock: number
  pending_photos: number
  open_messages: number
}

export interface FirstSteps {
  second_factor: boolean
  settings: boolean
  stock: boolean
  first_order: boolean
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

/** What the database says of one row of a catalogue file. */
export interface RowReport {
  outcome: 'same' | 'changed' | 'new' | 'wrong'
  problems: Record<string, string>
  /** By column: what it says now, and what the file says. */
  changes: Record<string, [unknown, unknown]>
}

/** What the server did with many orders: each was tried by itself. */
export interface ManyOutcome {
  done: string[]
  skipped: { order_number: number; reason: string }[]
}

/** What cancelling orders would do. */
export interface Cancellation {
  orders: number
  mails: number
  /** Rand. */
  to_refund: number
  /** Of these the parcel has left. */
  shipped: number
}

/** In rand. */
export interface Quote {
  subtotal: number
  shipping: number
  discount: number
  total: number
}

/** What a cart would cost with a code, and why the code does not hold for it. */
export interface PromoTrial extends Quote {
  message: string | null
}

/** A cart as it would be ordered now. */
export interface CartQuote {
  lines: {
    product_name: string
    product_variant: string
    with_hooks: boolean
    /** Null: no longer sold so. */
    price: number | null
    available: number
    made_to_order: boolean
  }[]
}

/** Rand, over all orders that were ever placed. Sales are orders that were paid and not cancelled since. */
export interface RevenueInAll {
  orders: number
  /** Before refunds. */
  gross: number
  refunds: number
  /** Net: gross less refunds. */
  revenue: number
  paid_orders: number
  /** Net revenue of a paid order. */
  average: number
  awaiting: number
}

export interface MarketingConsent {
  is_given: boolean
  /** The link that confirms it has been mailed and not been used yet. */
  is_pending: boolean
  wording: string | null
  changed_at: string | null
}

/** A client with what the shop knows of them. */
export interface WholeClient extends Row<'profiles'> {
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

/** Another account that may be the same person's, and why it cannot be merged, if it cannot. */
interface Duplicate extends Pick<Row<'profiles'>, 'id' | 'full_name' | 'email' | 'phone' | 'created_at'> {
  orders: number
  problem: string | null
}

/** An order as its customer sees it. Amounts are rand. */
export interface OwnOrder extends Pick<
  OrderRow,
  | 'id'
  | 'order_number'
  | 'status'
  | 'paid_at'
  | 'expires_at'
  | 'cancelled_at'
  | 'cancellation_reason'
  | 'shipping_cost'
  | 'discount_amount'
  | 'total_amount'
  | 'promo_code'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'locker_location'
  // The four of the address are `null` where the order is handed over in person.
  | 'shipping_address'
  | 'shipping_city'
  | 'shipping_state'
  | 'shipping_zip'
  | 'notes'
  | 'tracking_number'
> {
  placed_at: string
  subtotal_amount: number
  shipping_method: string
  /** What paying now would cost: the total, or what is missing after a payment that was too little. */
  amount_due: number
  /** What the shop received for it and has not sent back. */
  held_amount: number
  /** What the shop owes since it was cancelled. */
  refund_due: number
  courier: { name: string; tracking_url: string | null } | null
  items: OwnItem[]
  refunds: { amount: number; created_at: string }[]
  timeline: OwnEvent[]
  /** Whether paying is possible now; a payment that was too little waits for the shop's decision. */
  may_be_paid: boolean
  is_being_confirmed: boolean
}

type OwnItem = Pick<
  Row<'order_items'>,
  | 'id'
  | 'product_name'
  | 'product_variant'
  | 'with_hooks'
  | 'price'
  | 'quantity'
  // Refunded and back in stock.
  | 'returned_quantity'
  | 'image_url'
>

interface OwnEvent {
  kind: 'placed' | 'paid' | 'reinstated' | 'cancelled' | 'status_changed' | 'tracking_changed'
  status: string | null
  happened_at: string
}

/** Where a session ran. */
export interface Device {
  browser: string | null
  address: string | null
}

/** `words` are PayFast's, `note` an admin's. */
export interface RefundDetail {
  words?: string
  note?: string
}
