import { z } from 'zod'

import { centsFromRand } from '#domain/money.ts'
import { HAND_OVER } from '#domain/shipping-method.ts'

/** Converts rand from the database to cents. */
const cents = z.number().transform(centsFromRand)

/** Parses the output of `private.order_for_mail`. */
export const orderSchema = z.object({
  orderId: z.string(),
  orderNumber: z.number(),
  placedAt: z.string(),
  customerName: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
  customerEmail: z.string().nullish(),
  customerPhone: z.string().nullish(),
  status: z.string(),
  shippingMethod: z.string().nullish(),
  lockerLocation: z.string().nullish(),
  shippingAddress: z.string().nullish(),
  shippingCity: z.string().nullish(),
  shippingState: z.string().nullish(),
  shippingZip: z.string().nullish(),
  notes: z.string().nullish(),
  subtotal: cents,
  shippingCost: cents,
  discountAmount: cents,
  totalAmount: cents,
  trackingNumber: z.string().nullish(),
  courier: z
    .object({
      name: z.string(),
      contactPerson: z.string().nullish(),
      contactPhone: z.string().nullish(),
      /** Contains {number} in place of the tracking number. */
      trackingUrl: z.string().nullish(),
    })
    .nullish(),
  items: z.array(
    z.object({
      productName: z.string(),
      productVariant: z.string().nullish(),
      quantity: z.number(),
      price: cents,
      withHooks: z.boolean().nullish(),
      imageUrl: z.string().nullish(),
    }),
  ),
})

export type MailedOrder = z.infer<typeof orderSchema>
export type MailedLine = MailedOrder['items'][number]

export function isHandOver({ shippingMethod }: MailedOrder): boolean {
  return shippingMethod === HAND_OVER
}

/** The URL of the order in the customer's account. A visitor who must sign in first returns to it. */
export function orderPage({ orderId }: Pick<MailedOrder, 'orderId'>, publicUrl: string): string {
  return new URL(`/account/orders/${orderId}`, publicUrl).href
}
