import { z } from 'zod'

import { parseRand, randText } from '#domain/money.ts'
import { requireOrder } from '#functions/_shared/order-access.ts'
import { withErrorResponse, readInput, FunctionError } from '#functions/_shared/function-error.ts'
import { startPayment } from '#payments/payfast/start-payment.ts'

const inputSchema = z.object({
  orderId: z.uuid(),
  amount: z.union([z.number(), z.string()]),
  customerEmail: z.string().nullish(),
  customerName: z.string().nullish(),
  orderNumber: z.union([z.number(), z.string()]).nullish(),
  returnsToOrder: z.boolean().optional(),
})

/** PayFast's smallest live payment. */
const LIVE_MINIMUM_CENTS = 5_00

/** Returns the signed PayFast form. Its amount comes from the database; a different requested amount is refused. */
export const generatePayfastPayment = withErrorResponse<'generate-payfast-payment'>(
  async (request, context) => {
    const { orderId, amount, returnsToOrder } = await readInput(request, inputSchema)
    const order = await requireOrder(orderId, context)
    const { dueCents } = order

    if (order.status !== 'pending_payment') {
      throw new FunctionError(409, 'order_not_payable', 'This order is not waiting for payment.')
    }
    if (parseRand(amount) !== dueCents) {
      throw new FunctionError(
        409,
        'amount_differs',
        `R${randText(dueCents)} is due for this order, not R${amount}.`,
      )
    }
    if (context.payfast.mode === 'live' && dueCents < LIVE_MINIMUM_CENTS) {
      throw new FunctionError(422, 'amount_too_small', 'PayFast’s minimum payment is R5.00.')
    }
    return await startPayment(order, context, { returnsToOrder })
  },
)
