import { z } from 'zod'

import { orderView } from '#domain/order.ts'

const text = z.string().nullable().default(null)

const rowSchema = z.object({
  id: z.string(),
  order_number: z.number(),
  status: z.enum(['pending_payment', 'new', 'pending', 'processing', 'shipped', 'delivered', 'cancelled']),
  subtotal_amount: z.number(),
  shipping_cost: z.number(),
  discount_amount: z.number(),
  total_amount: z.number(),
  promo_code: text,
  customer_name: text,
  customer_email: text,
  customer_phone: text,
  shipping_method: z.enum(['locker', 'door-to-door', 'hand-over']),
  locker_location: text,
  shipping_address: text,
  shipping_city: text,
  shipping_state: text,
  shipping_zip: text,
  notes: text,
  tracking_number: text,
  /** `tracking_url` contains {number} in place of the tracking number. */
  courier: z
    .object({ name: z.string(), contact_person: text, contact_phone: text, tracking_url: text })
    .nullable()
    .default(null),
  order_items: z.array(
    z.object({
      id: z.string().default(''),
      product_name: z.string(),
      product_variant: text,
      quantity: z.number(),
      returned_quantity: z.number().default(0),
      price: z.number(),
      with_hooks: z.boolean().nullable().default(null),
      image_url: text,
    }),
  ),
})

/** Parses the output of `private.order_for_mail`. */
export const orderSchema = z
  .preprocess(columnsOf, rowSchema)
  .transform((row) => ({ ...orderView(row), courier: row.courier }))

export type MailedOrder = z.infer<typeof orderSchema>

const COLUMNS: Record<string, string> = { orderId: 'id', subtotal: 'subtotal_amount', items: 'order_items' }

/** Mails carry the columns in camel case: `customerName` → `customer_name`. */
function columnsOf(props: unknown): unknown {
  if (Array.isArray(props)) return props.map(columnsOf)
  if (typeof props !== 'object' || props === null) return props
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => [COLUMNS[name] ?? snakeCase(name), columnsOf(value)]),
  )
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The URL of the order in the customer's account. A visitor who must sign in first returns to it. */
export function orderPage({ id }: Pick<MailedOrder, 'id'>, publicUrl: string): string {
  return new URL(`/account/orders/${id}`, publicUrl).href
}
