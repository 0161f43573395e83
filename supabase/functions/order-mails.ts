import { z } from 'zod'
import { requireOrder } from './_shared/order-access.ts'
import { FunctionError, readInput, withErrorResponse } from './_shared/function-error.ts'

/**
 * The input that the specification prescribes for order mails. Only `orderId` is used: the mail's content comes from the database.
 */
const confirmationSchema = z.object({
  orderId: z.uuid(),
  orderNumber: z.union([z.number(), z.string()]).nullish(),
  customerEmail: z.string().nullish(),
  customerName: z.string().nullish(),
  items: z
    .array(
      z.object({
        product_name: z.string(),
        quantity: z.number(),
        price: z.number(),
        product_variant: z.string().nullish(),
        with_hooks: z.boolean().nullish(),
      }),
    )
    .nullish(),
  totalAmount: z.number().nullish(),
  shippingCost: z.number().nullish(),
  shippingMethod: z.string().nullish(),
  shippingAddress: z.string().nullish(),
  shippingCity: z.string().nullish(),
  shippingState: z.string().nullish(),
  shippingZip: z.string().nullish(),
})

const notificationSchema = confirmationSchema.extend({
  customerPhone: z.string().nullish(),
  subtotal: z.number().nullish(),
  discountAmount: z.number().nullish(),
  notes: z.string().nullish(),
})

/** Queues both mails of a paid order unless they are queued or sent already (idempotent). */
function requestMails(schema: typeof confirmationSchema) {
  return withErrorResponse<'send-order-confirmation' | 'send-order-notification'>(
    async (request, context) => {
      const { orderId } = await readInput(request, schema)
      const order = await requireOrder(orderId, context)
      if (!order.paidAt) {
        throw new FunctionError(
          409,
          'order_not_paid',
          'This order is not paid yet. Its e-mails are sent once it is paid.',
        )
      }
      await context.database.owner.query('select private.queue_order_mails($1)', [order.id])
      return { success: true }
    },
  )
}

export const orderMailFunctions = {
  'send-order-confirmation': requestMails(confirmationSchema),
  'send-order-notification': requestMails(notificationSchema),
}
