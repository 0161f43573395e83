import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/session/query-backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import type { Returns, Tables } from '#database'
import { useChange } from '../../list/use-change.ts'
import type { Order, OrderItem } from '../order.ts'

/** A colour that can be ordered. */
export interface Colour {
  variantId: string
  lure: string
  colour: string
  isSoldWithHooks: boolean
  available: number
  isMadeToOrder: boolean
}

export function useColours() {
  return useQuery({ queryKey: ['products', 'colours'], queryFn: loadColours })
}

async function loadColours(): Promise<Colour[]> {
  const [products, shelf] = await Promise.all([
    queryBackend((backend) =>
      backend
        .from('products')
        .select('name, price_with_hooks, made_to_order, product_variants(id, name)')
        .eq('status', 'live')
        .order('position'),
    ),
    queryBackend((backend) => backend.from('product_availability').select('*')),
  ])
  const available = new Map(shelf.map((row) => [row.variant_id, row.available]))
  return products.flatMap(({ name, price_with_hooks, made_to_order, product_variants }) =>
    product_variants.map((variant) => ({
      variantId: variant.id,
      lure: name,
      colour: variant.name,
      isSoldWithHooks: price_with_hooks !== null,
      available: available.get(variant.id) ?? 0,
      isMadeToOrder: made_to_order,
    })),
  )
}

export interface StaffOrderLine {
  variant_id: string
  with_hooks: boolean
  quantity: number
}

export type Quote = Returns<'quote_staff_order'>

/** What the shop asks for these lines: the database prices them as it prices every order. */
export function useQuote(wanted: { lines: StaffOrderLine[]; promoCode: string; shippingMethod: string }) {
  const { lines, promoCode, shippingMethod } = wanted
  return useQuery({
    queryKey: ['quote-by-hand', lines, promoCode, shippingMethod],
    enabled: lines.length > 0,
    retry: false,
    queryFn: () =>
      queryBackend((backend) =>
        backend.rpc('quote_staff_order', {
          lines,
          promo_code: promoCode || null,
          shipping_method: shippingMethod,
        }),
      ),
  })
}

export type PaidBy = Exclude<Tables<'payments'>['way'], 'payfast'>

/** As `place_order` names them. */
export interface StaffOrderDelivery {
  full_name: string
  email: string
  phone: string
  shipping_method: string
  locker_location: string
  address: string
  city: string
  state: string
  zip_code: string
  notes: string
}

export interface StaffOrderInput {
  delivery: StaffOrderDelivery
  lines: StaffOrderLine[]
  expected_total: number
  promo_code: string | null
  paid_by: PaidBy | null
  reference: string | null
  /** A paid hand-over that is delivered at once. */
  handed_over: boolean
  /** An unpaid order that this one takes the place of. */
  replaces: string | null
}

export function usePlaceStaffOrder() {
  return useChange({
    // One key for the page, however often the button is pressed.
    change: ({ key, wanted }: { key: string; wanted: StaffOrderInput }) =>
      queryBackend((backend) =>
        backend
          .rpc('place_staff_order', { idempotency_key: key, wanted })
          .select('*')
          .single<Tables<'orders'>>(),
      ),
    done: 'Order created',
    failure: byHandFailure,
    refreshes: ['orders', 'products', 'quote-by-hand'],
  })
}

/** The checkout's sentences speak to a customer. */
function byHandFailure({ message }: Error): string {
  return message.replace('in your cart', 'in this order').replace('State/Province', 'Province')
}

/** What the database found wrong with the address, by field. */
export function deliveryProblems(error: Error | null): Record<string, string> {
  const refusal = error?.cause
  if (!isBackendError(refusal) || refusal.details !== 'invalid_delivery' || refusal.hint === null) return {}
  const problems: Record<string, string> = JSON.parse(refusal.hint)
  return Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [
      field,
      problem.replace('State/Province', 'Province'),
    ]),
  )
}

export function deliveryFrom(order: Order): StaffOrderDelivery {
  return {
    full_name: order.customer_name ?? '',
    email: order.customer_email ?? '',
    phone: order.customer_phone ?? '',
    shipping_method: order.shipping_method ?? 'locker',
    locker_location: order.locker_location ?? '',
    address: order.shipping_address ?? '',
    city: order.shipping_city ?? '',
    state: order.shipping_state ?? '',
    zip_code: order.shipping_zip ?? '',
    notes: order.notes ?? '',
  }
}

/** The lines of an order that are still sold; the others cannot be ordered again. */
export function linesFrom(items: OrderItem[], colours: Colour[]): StaffOrderLine[] {
  return items.flatMap(({ product_name, product_variant, with_hooks, quantity }) => {
    const found = colours.find(({ lure, colour }) => lure === product_name && colour === product_variant)
    return found ? [{ variant_id: found.variantId, with_hooks: with_hooks ?? false, quantity }] : []
  })
}
