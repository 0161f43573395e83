import { z } from 'zod'

import { centsFromRand, parseRand, randText } from '#domain/money.ts'
import type { Given } from '#functions/_shared/given.ts'
import { requireOrder } from '#functions/_shared/order-access.ts'
import { answering, readInput, Refusal } from '#functions/_shared/refusal.ts'
import { startPayment } from '#payments/payfast/start-payment.ts'

const inputSchema = z.object({
  orderId: z.uuid(),
  amount: z.union([z.number(), z.string()]),
  customerEmail: z.string().nullish(),
  customerName: z.string().nullish(),
  orderNumber: z.union([z.number(), z.string()]).nullish(),
})

/** PayFast's smallest live payment. */
const LIVE_MINIMUM_CENTS = 5_00

/** The signed form that takes the buyer to PayFast. The amount in it is the database's. */
export const generatePayfastPayment = answering<Given>(async (request, given) => {
  const { orderId, amount } = await readInput(request, inputSchema)
  const order = await requireOrder(orderId, given)
  const dueCents = centsFromRand(order.amount_due)

  if (order.status !== 'pending_payment') {
    throw new Refusal(409, 'order_not_payable', 'This order does not await payment.')
  }
  if (parseRand(amount) !== dueCents) {
    throw new Refusal(
      409,
      'amount_differs',
      `R${randText(dueCents)} is due for this order, not R${amount}. Nothing was charged.`,
    )
  }
  if (given.payfast.mode === 'live' && dueCents < LIVE_MINIMUM_CENTS) {
    throw new Refusal(422, 'amount_too_small', 'PayFast takes payments from R5.00.')
  }
  return Response.json(await startPayment(order, given))
})
