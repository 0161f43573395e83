import { z } from 'zod'

import { orderView } from '#domain/order.ts'
import { orderRowSchema } from '#domain/order-row.ts'

const text = z.string().nullable().default(null)

const rowSchema = orderRowSchema.extend({
  /** Whether the customer can open the order's page. */
  has_account: z.boolean().default(true),
  must_be_made: z.boolean().default(false),
  /** `tracking_url` contains {number} in place of the tracking number. */
  courier: z
    .object({ name: z.string(), contact_person: text, contact_phone: text, tracking_url: text })
    .nullable()
    .default(null),
})

/** Parses the output of `private.order_for_mail`. */
export const orderSchema = z.preprocess(columnsOf, rowSchema).transform((row) => ({
  ...orderView(row),
  courier: row.courier,
  hasAccount: row.has_account,
  mustBeMade: row.must_be_made,
}))

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
