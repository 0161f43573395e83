import { z } from 'zod'

/**
 * The input that the specification prescribes for order mails. Only `orderId` is used: the mail's content comes from the database.
 */
const itemSchema = z.object({
  product_name: z.string(),
  quantity: z.number(),
  price: z.number(),
  product_variant: z.string().nullish(),
  with_hooks: z.boolean().nullish(),
})

export const orderConfirmationSchema = z.object({
  orderId: z.uuid(),
  orderNumber: z.union([z.number(), z.string()]).nullish(),
  customerEmail: z.string().nullish(),
  customerName: z.string().nullish(),
  items: z.array(itemSchema).nullish(),
  totalAmount: z.number().nullish(),
  shippingCost: z.number().nullish(),
  shippingMethod: z.string().nullish(),
  shippingAddress: z.string().nullish(),
  shippingCity: z.string().nullish(),
  shippingState: z.string().nullish(),
  shippingZip: z.string().nullish(),
})

export const orderNotificationSchema = orderConfirmationSchema.extend({
  customerPhone: z.string().nullish(),
  subtotal: z.number().nullish(),
  discountAmount: z.number().nullish(),
  notes: z.string().nullish(),
})
