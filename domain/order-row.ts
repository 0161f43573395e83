import { z } from 'zod'
import type { OrderItemRow, OrderRow } from './order.ts'
import { ORDER_STATUSES } from './order-status.ts'

const text = z.string().nullable().default(null)

const itemSchema = z.object({
  id: z.string().default(''),
  product_name: z.string(),
  product_variant: text,
  quantity: z.number(),
  returned_quantity: z.number().default(0),
  price: z.number(),
  with_hooks: z.boolean().nullable().default(null),
  image_url: text,
}) satisfies z.ZodType<OrderItemRow>

/** Parses an order's row that PostgreSQL returns as JSON, for `orderView`. */
export const orderRowSchema = z.object({
  id: z.string(),
  order_number: z.number(),
  status: z.enum([...ORDER_STATUSES, 'pending']),
  subtotal_amount: z.number().nullable(),
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
  paid_at: text,
  order_items: z.array(itemSchema).default([]),
}) satisfies z.ZodType<OrderRow>
