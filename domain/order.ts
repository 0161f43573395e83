import type { Tables } from '#database'
import { centsFromRand } from './money.ts'
import { orderNumberText } from './order-status.ts'
import { effectiveDiscountCents } from './pricing.ts'
import { HAND_OVER } from './shipping-method.ts'
import { formatPhone } from './south-africa.ts'

/** The columns that every source of an order has: a row of `orders`, the result of `get_order`, the props of an e-mail. */
export type OrderRow = Pick<
  Tables<'orders'>,
  | 'id'
  | 'order_number'
  | 'status'
  | 'subtotal_amount'
  | 'shipping_cost'
  | 'discount_amount'
  | 'total_amount'
  | 'promo_code'
  | 'customer_name'
  | 'customer_email'
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
  Partial<Pick<Tables<'orders'>, 'paid_at'>> & {
    /** The customer's account; its name, e-mail and phone replace missing ones. */
    profiles?: Pick<Tables<'profiles'>, 'full_name' | 'email' | 'phone'> | null
    order_items?: OrderItemRow[]
  }

type OrderItemRow = Pick<
  Tables<'order_items'>,
  | 'id'
  | 'product_name'
  | 'product_variant'
  | 'with_hooks'
  | 'price'
  | 'quantity'
  | 'returned_quantity'
  | 'image_url'
>

/** An order as pages, documents and e-mails show it. */
export type OrderView = ReturnType<typeof orderView>
export type OrderLine = ReturnType<typeof orderLine>

export function orderView(row: OrderRow) {
  const [subtotalCents, shippingCents, totalCents] = [
    row.subtotal_amount === null ? null : centsFromRand(row.subtotal_amount),
    centsFromRand(row.shipping_cost),
    centsFromRand(row.total_amount),
  ]
  return {
    id: row.id,
    /** `00042` */
    number: orderNumberText(row.order_number),
    status: row.status,
    paidAt: row.paid_at ?? null,
    /** Paid, and not cancelled since. */
    isPaid: row.paid_at != null && row.status !== 'cancelled',
    customerName: row.customer_name || row.profiles?.full_name || null,
    customerEmail: row.customer_email || row.profiles?.email || null,
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
        : effectiveDiscountCents({ subtotalCents, shippingCents, totalCents }),
    totalCents,
    lines: (row.order_items ?? []).map(orderLine),
  }
}

export function orderLine(item: OrderItemRow) {
  const variant = item.product_variant
  const hooks = hooksText(item.with_hooks)
  const priceCents = centsFromRand(item.price)
  return {
    id: item.id,
    name: item.product_name,
    variant,
    withHooks: item.with_hooks,
    hooks,
    /** `Blue Reaper, With Hooks` */
    choice: [variant, hooks].filter(Boolean).join(', '),
    quantity: item.quantity,
    /** Refunded and back in stock. */
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
