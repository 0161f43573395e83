import type { EMPTY_DELIVERY } from '#domain/delivery.ts'
import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Returns, Tables } from '#database'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { StaffOrder } from '#domain/order.ts'

export interface OrderableColour {
  variantId: string
  productName: string
  colour: string
  isSoldWithHooks: boolean
  available: number
  isMadeToOrder: boolean
}

/** Counts the lures that the replaced order has reserved as available: the new order gets them. */
export function useOrderableColours(replacedOrderId: string | null) {
  return useQuery({
    queryKey: ['products', 'colours', replacedOrderId],
    queryFn: () => loadColours(replacedOrderId),
  })
}

async function loadColours(replacedOrderId: string | null): Promise<OrderableColour[]> {
  const [products, availability, reservations] = await Promise.all([
    queryBackend((backend) =>
      backend
        .from('products')
        .select('name, price_with_hooks, made_to_order, product_variants(id, name)')
        .eq('status', 'live')
        .order('position')
        .order('position', { referencedTable: 'product_variants' })
        .order('id', { referencedTable: 'product_variants' }),
    ),
    queryBackend((backend) => backend.from('product_availability').select('*')),
    replacedOrderId === null ? [] : loadReservations(replacedOrderId),
  ])
  const available = new Map(availability.map((row) => [row.variant_id, row.available ?? 0]))
  for (const { variant_id, quantity } of reservations)
    available.set(variant_id, (available.get(variant_id) ?? 0) + quantity)
  return products.flatMap(({ name, price_with_hooks, made_to_order, product_variants }) =>
    product_variants.map((variant) => ({
      variantId: variant.id,
      productName: name,
      colour: variant.name,
      isSoldWithHooks: price_with_hooks !== null,
      available: available.get(variant.id) ?? 0,
      isMadeToOrder: made_to_order,
    })),
  )
}

function loadReservations(orderId: string) {
  return queryBackend((backend) =>
    backend
      .from('stock_reservations')
      .select('variant_id, quantity')
      .eq('order_id', orderId)
      .gt('expires_at', new Date().toISOString()),
  )
}

export interface ManualOrderLine {
  variant_id: string
  with_hooks: boolean
  /** 0 while the field is empty. */
  quantity: number
}

/** Returns 0 for an empty field, so that it can be cleared before another quantity is typed. */
export function typedQuantity(typed: string): number {
  return Math.max(0, Math.trunc(Number(typed)))
}

export type Quote = Returns<'quote_staff_order'>

interface QuoteInput {
  lines: ManualOrderLine[]
  promoCode: string
  delivery: Pick<ManualOrderDelivery, 'shipping_method'>
  /** The id of the unpaid order that this one replaces. */
  replaces: string | null
}

/** The price of these lines. The database calculates it by the rules for every order. */
export function useQuote({ lines, promoCode, delivery, replaces }: QuoteInput) {
  const code = promoCode.trim()
  return useBackendQuery(
    ['manual-order-quote', lines, code, delivery.shipping_method, replaces],
    (backend) =>
      backend.rpc('quote_staff_order', {
        lines,
        promo_code: code || null,
        shipping_method: delivery.shipping_method,
        replaces,
      }),
    { enabled: lines.length > 0 && lines.every(({ quantity }) => quantity > 0), retry: false },
  )
}

export type PaidBy = Exclude<Tables<'payments'>['way'], 'payfast'>

export type ManualOrderDelivery = typeof EMPTY_DELIVERY

interface ManualOrderInput {
  delivery: ManualOrderDelivery
  lines: ManualOrderLine[]
  expected_total: number
  promo_code: string | null
  paid_by: PaidBy | null
  reference: string | null
  /** Marks a paid order as delivered in person. */
  handed_over: boolean
  /** The id of the unpaid order that this one replaces. */
  replaces: string | null
}

export function usePlaceManualOrder() {
  return useToastMutation({
    // The idempotency key is fixed for the page, so that a second press or a retry places no second order. The database refuses the
    // key of an order with other contents.
    mutationFn: ({ key, input }: { key: string; input: ManualOrderInput }) =>
      queryBackend((backend) => backend.rpc('place_staff_order', { idempotency_key: key, wanted: input })),
    success: 'Order created',
    errorText: staffErrorText,
    invalidates: ['orders', 'products', 'manual-order-quote'],
  })
}

/** Rewords the checkout's messages, which address the customer. */
function staffErrorText({ message }: Error): string {
  return message.replace('in your cart', 'in this order').replace('State/Province', 'Province')
}

/** The database's error messages for the delivery, by field. */
export function deliveryProblems(error: Error | null): Record<string, string> {
  const problems: Record<string, string> = JSON.parse(backendError(error, 'invalid_delivery')?.hint ?? '{}')
  return Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [
      field,
      problem.replace('State/Province', 'Province'),
    ]),
  )
}

export function deliveryFrom(order: StaffOrder): ManualOrderDelivery {
  return {
    full_name: order.customerName ?? '',
    email: order.customerEmail ?? '',
    phone: order.customerPhone ?? '',
    shipping_method: order.shippingMethod,
    locker_location: order.locker ?? '',
    address: order.street ?? '',
    city: order.city ?? '',
    state: order.province ?? '',
    zip_code: order.postalCode ?? '',
    notes: order.notes ?? '',
  }
}

interface OrderedColour {
  /** Null when the colour was deleted. */
  variant_id: string | null
  with_hooks: boolean | null
  quantity: number
}

/** The names of the lines that `linesFrom` leaves out. */
export function unavailableLines(
  items: (OrderedColour & { product_name: string; product_variant: string | null })[],
  colours: OrderableColour[],
): string[] {
  return items
    .filter((item) => linesFrom([item], colours).length === 0)
    .map(({ product_name, product_variant }) => [product_name, product_variant].filter(Boolean).join(', '))
}

/** The order's lines whose colour is still for sale, by whatever name. */
export function linesFrom(items: OrderedColour[], colours: OrderableColour[]): ManualOrderLine[] {
  return items.flatMap(({ variant_id, with_hooks, quantity }) => {
    const match = colours.find(({ variantId }) => variantId === variant_id)
    return match ? [{ variant_id: match.variantId, with_hooks: with_hooks ?? false, quantity }] : []
  })
}
