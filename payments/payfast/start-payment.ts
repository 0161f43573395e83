import type { PaymentForm } from '#domain/function-results.ts'
import { z } from 'zod'
import { type DatabasePools, selectRow } from '@saltfreak/backend'
import { centsFromRand, randText } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import type { OrderView } from '#domain/order.ts'

import { NOTICE_PATH, type PayfastAccount } from './account.ts'
import { signedForm } from './form.ts'

export type PayableOrder = Pick<OrderView, 'id' | 'customerName' | 'customerEmail' | 'customerPhone'>

export interface PaymentParts {
  database: DatabasePools
  publicUrl: string
  payfast: PayfastAccount
}

const attemptSchema = z.object({
  order_number: z.number(),
  m_payment_id: z.string(),
  amount: z.string(),
  /** Set when the attempt pays the difference of a short payment. */
  top_up_id: z.string().nullable(),
})

interface StartOptions {
  /** The buyer pays from the order's page: Cancel at PayFast leads back to it and cancels nothing. */
  returnsToOrder?: boolean
}

/** Reserves the order's stock, writes the attempt, and signs its form. Throws when the order does not await payment. */
export async function startPayment(
  order: PayableOrder,
  parts: PaymentParts,
  { returnsToOrder }: StartOptions = {},
): Promise<PaymentForm> {
  const { database, publicUrl, payfast } = parts
  const attempt = await writeAttempt(order.id, { database, payfast })
  const [firstName, lastName] = splitName(order.customerName ?? '')
  const page = (path: string) => `${publicUrl}${path}?order_id=${order.id}`
  return {
    payfastUrl: payfast.processUrl,
    paymentData: signedForm(
      {
        merchant_id: payfast.merchantId,
        merchant_key: payfast.merchantKey,
        return_url: page('/payment-success'),
        // /payment-cancelled cancels the order and leads back to the checkout, which may have been in another browser. A partly
        // paid order must stay.
        cancel_url:
          returnsToOrder || attempt.top_up_id
            ? `${publicUrl}/account/orders/${order.id}`
            : page('/payment-cancelled'),
        notify_url: `${publicUrl}${NOTICE_PATH}`,
        name_first: firstName,
        name_last: lastName,
        email_address: order.customerEmail ?? '',
        cell_number: localCellNumber(order.customerPhone ?? ''),
        m_payment_id: attempt.m_payment_id,
        amount: randText(centsFromRand(attempt.amount)),
        // Only the order number: banks' pages garble some characters of product names.
        item_name: `Order ${orderNumberText(attempt.order_number)}`,
      },
      payfast.passphrase,
    ),
  }
}

async function writeAttempt(
  orderId: string,
  { database, payfast }: Omit<PaymentParts, 'publicUrl'>,
): Promise<z.infer<typeof attemptSchema>> {
  return selectRow(database.owner, attemptSchema, [
    'select * from private.start_payment_attempt($1, $2)',
    orderId,
    payfast.merchantId,
  ])
}

function splitName(name: string): [first: string, last: string] {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return [first, rest.join(' ')]
}

/** Returns PayFast's format `0821234567`, or an empty text for a number that cannot be converted. */
function localCellNumber(phone: string): string {
  const digits = phone.replace(/\(0\)/, '').replace(/\D/g, '')
  const national = digits.replace(/^(00)?27(?=\d{9}$)/, '0')
  return /^0\d{9}$/.test(national) ? national : ''
}
