import type { Returns, Tables } from '#database'
import { centsFromRand } from './money.ts'
import { orderNumberText } from './order-status.ts'
import { effectiveDiscountCents } from './pricing.ts'
import { HAND_OVER } from './shipping-method.ts'
import { formatPhone } from './south-africa.ts'

type Columns<Name extends keyof Tables<'orders'>> = Pick<Tables<'orders'>, Name>

/** What `listedOrder` converts. A query that also needs the lines adds `order_items(*)`. */
export const LISTED_ORDER_COLUMNS =
  'id, order_number, status, total_amount, customer_name, customer_email, created_at, placed_at'

/** The columns that `staffOrder` converts; row-level security shows refunds due to admins only. */
export const STAFF_ORDER_COLUMNS = '*, profiles(full_name, email, phone)'
/** The columns of `order_items` that show staff a colour which was renamed after the order. */
export const STAFF_LINE_COLUMNS = '*, product_variants(name)'
export const REFUND_TASK_COLUMNS = 'refund_tasks(id, order_id, amount, outstanding, opened_at, is_open)'

type HeadRow = Columns<
  'id' | 'order_number' | 'status' | 'total_amount' | 'customer_name' | 'customer_email'
> & {
  /** The customer's account; its name, e-mail and phone replace missing ones. */
  profiles?: Pick<Tables<'profiles'>, 'full_name' | 'email' | 'phone'> | null
  order_items?: OrderItemRow[]
}

/** The columns that every source of a whole order has: a row of `orders`, the result of `get_order`, the props of an e-mail. */
export type OrderRow = HeadRow &
  Columns<
    | 'subtotal_amount'
    | 'shipping_cost'
    | 'discount_amount'
    | 'promo_code'
    | 'customer_phone'
    | 'shipping_method'
    | 'locker_location'
    | 'shipping_address'
    | 'shipping_city'
    | 'shipping_state'
    | 'shipping_zip'
    | 'notes'
    | 'tracking_number'
  > &
  Partial<Columns<'paid_at'>>

export type OrderItemRow = Pick<
  Tables<'order_items'>,
  | 'id'
  | 'product_name'
  | 'product_variant'
  | 'with_hooks'
  | 'price'
  | 'quantity'
  | 'returned_quantity'
  | 'image_url'
> & {
  /** The colour as it is today, in queries for staff; null once it is deleted. */
  product_variants?: Pick<Tables<'product_variants'>, 'name'> | null
}

/** `amount` is the refundable sum at the cancellation, `outstanding` what is still due; both in rand. */
export type RefundTask = Pick<
  Tables<'refund_tasks'>,
  'id' | 'order_id' | 'amount' | 'outstanding' | 'opened_at' | 'is_open'
>

export type StaffOrderRow = Tables<'orders'> &
  Pick<HeadRow, 'profiles' | 'order_items'> & { refund_tasks?: RefundTask[] }

/** An order in a list. */
export type ListedOrder = ReturnType<typeof listedOrder>
/** An order as pages, documents and e-mails show it. */
export type OrderView = ReturnType<typeof orderView>
/** An order as staff see it. */
export type StaffOrder = ReturnType<typeof staffOrder>
/** An order as its customer sees it. */
export type CustomerOrderView = ReturnType<typeof customerOrder>
export type OrderLine = ReturnType<typeof orderLine>

function orderHead(row: HeadRow) {
  return {
    id: row.id,
    /** `00042` */
    number: orderNumberText(row.order_number),
    status: row.status,
    customerName: row.customer_name || row.profiles?.full_name || null,
    customerEmail: row.customer_email || row.profiles?.email || null,
    totalCents: centsFromRand(row.total_amount),
    lines: (row.order_items ?? []).map(orderLine),
  }
}

export function listedOrder(row: HeadRow & Columns<'created_at' | 'placed_at'>) {
  return { ...orderHead(row), createdAt: row.created_at, placedAt: row.placed_at }
}

export function orderView(row: OrderRow) {
  const head = orderHead(row)
  const subtotalCents = row.subtotal_amount === null ? null : centsFromRand(row.subtotal_amount)
  const shippingCents = centsFromRand(row.shipping_cost)
  return {
    ...head,
    paidAt: row.paid_at ?? null,
    /** Paid, and not cancelled since. */
    isPaid: row.paid_at != null && row.status !== 'cancelled',
    customerPhone: row.customer_phone || row.profiles?.phone || null,
    shippingMethod: row.shipping_method,
    /** Handed over in person: no address, no parcel, no shipping fee. */
    isHandOver: row.shipping_method === HAND_OVER,
    locker: row.locker_location,
    street: row.shipping_address,
    city: row.shipping_city,
    province: row.shipping_state,
    postalCode: row.shipping_zip,
    notes: row.notes,
    trackingNumber: row.tracking_number || null,
    promoCode: row.promo_code,
    /** Null for the oldest orders. */
    subtotalCents,
    shippingCents,
    discountCents:
      subtotalCents === null
        ? centsFromRand(row.discount_amount)
        : effectiveDiscountCents({ subtotalCents, shippingCents, totalCents: head.totalCents }),
  }
}

export function staffOrder(row: StaffOrderRow) {
  return {
    ...orderView(row),
    createdAt: row.created_at,
    customerId: row.customer_id,
    courierId: row.courier_company_id,
    delivery: deliveryOf(row),
    payment: paymentState(row),
    /** The refund that is still due, if the order was cancelled after its payment. */
    refundTask: row.refund_tasks?.find(({ is_open }) => is_open) ?? null,
  }
}

export type PaymentState = 'paid' | 'awaiting' | 'free' | 'unpaid'

function paymentState(order: Columns<'total_amount' | 'paid_at' | 'status'>): PaymentState {
  if (order.total_amount === 0) return 'free'
  if (order.paid_at) return 'paid'
  return order.status === 'pending_payment' ? 'awaiting' : 'unpaid'
}

export type Delivery = ReturnType<typeof deliveryOf>

/** The columns that `change_delivery` compares, exactly as stored. */
function deliveryOf(row: OrderRow) {
  const { customer_name, customer_email, customer_phone, shipping_method, locker_location } = row
  const { shipping_address, shipping_city, shipping_state, shipping_zip } = row
  return {
    customer_name,
    customer_email,
    customer_phone,
    shipping_method,
    locker_location,
    shipping_address,
    shipping_city,
    shipping_state,
    shipping_zip,
  }
}

export function customerOrder(document: Returns<'get_order'>) {
  return {
    ...orderView({ ...document, order_items: document.items }),
    placedAt: document.placed_at,
    expiresAt: document.expires_at,
    cancellationReason: document.cancellation_reason,
    /** To pay now: the total, or the rest after a short payment. */
    dueCents: centsFromRand(document.amount_due),
    /** Received and not refunded. */
    heldCents: centsFromRand(document.held_amount),
    /** What the shop waived of a short payment. */
    waivedCents: centsFromRand(document.waived_amount),
    /** To be refunded since the order was cancelled. */
    refundDueCents: centsFromRand(document.refund_due),
    refunds: document.refunds.map(({ amount, created_at: at, done_at: doneAt }) => ({
      cents: centsFromRand(amount),
      at,
      doneAt,
    })),
    courier: document.courier,
    timeline: document.timeline,
    mayBePaid: document.may_be_paid,
    isBeingConfirmed: document.is_being_confirmed,
  }
}

export function orderLine(item: OrderItemRow) {
  const variant = item.product_variant
  const presentVariant = item.product_variants?.name ?? null
  const hooks = hooksText(item.with_hooks)
  const priceCents = centsFromRand(item.price)
  return {
    id: item.id,
    name: item.product_name,
    variant,
    /** The present name of a colour that was renamed after the order, in lines for staff. */
    renamedVariant: presentVariant === variant ? null : presentVariant,
    withHooks: item.with_hooks,
    hooks,
    /** `Blue Reaper, With Hooks` */
    choice: [variant, hooks].filter(Boolean).join(', '),
    quantity: item.quantity,
    /** Units that refunds took off the line: back in stock, or no longer to be made. */
    returned: item.returned_quantity,
    priceCents,
    totalCents: priceCents * item.quantity,
    pictureUrl: item.image_url,
  }
}

export function hooksText(withHooks: boolean | null): string | null {
  if (withHooks === null) return null
  return withHooks ? 'With Hooks' : 'Without Hooks'
}

/** `1 of these taken off the order`; null for a line that has all its units. */
export function returnedText({ returned }: Pick<OrderLine, 'returned'>): string | null {
  return returned > 0 ? `${returned} of these taken off the order` : null
}

/** The sums above an order's total; discounts are negative. */
export function orderSums(order: OrderView): { label: string; cents: number }[] {
  const { subtotalCents, shippingCents, discountCents, promoCode } = order
  return [
    ...(subtotalCents === null ? [] : [{ label: 'Subtotal', cents: subtotalCents }]),
    ...(order.isHandOver ? [] : [{ label: 'Shipping', cents: shippingCents }]),
    ...(discountCents > 0
      ? [{ label: promoCode ? `Discount (${promoCode})` : 'Discount', cents: -discountCents }]
      : []),
  ]
}

/** `14 Harbour View Road, Port Alfred, Eastern Cape, 6170` */
export function addressLine({ street, city, province, postalCode }: OrderView): string {
  return [street, city, province, postalCode].filter(Boolean).join(', ')
}

/** Name, address and phone for a parcel, one per line. */
export function addressLabel(order: OrderView): string {
  const { customerName, street, city, postalCode, province, customerPhone: phone } = order
  const town = [city, postalCode].filter(Boolean).join(' ')
  return [customerName, street, town, province, phone && formatPhone(phone)].filter(Boolean).join('\n')
}
