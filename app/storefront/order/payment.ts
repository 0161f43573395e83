import type { BrowserClient } from '#database'
import type { OrderView } from '#domain/order.ts'

/** Longer than any response on a working connection. */
const TIMEOUT_MS = 30_000

interface PaymentForm {
  payfastUrl: string
  paymentData: Record<string, string>
}

interface OrderToPay extends Pick<
  OrderView,
  'id' | 'number' | 'totalCents' | 'customerEmail' | 'customerName'
> {
  /** Cancel at PayFast leads to the order's page and keeps the order. By default it cancels the order. */
  returnsToOrder?: boolean
}

/** Returns the signed form for PayFast. */
export async function preparePayment(client: BrowserClient, order: OrderToPay): Promise<PaymentForm> {
  const { data, error } = await client.functions.invoke<Partial<PaymentForm>>('generate-payfast-payment', {
    body: {
      orderId: order.id,
      amount: order.totalCents / 100,
      customerEmail: order.customerEmail,
      customerName: order.customerName,
      orderNumber: order.number,
      returnsToOrder: order.returnsToOrder,
    },
    timeout: TIMEOUT_MS,
  })
  if (error) throw error
  if (!data?.payfastUrl || !data.paymentData) throw new Error('Invalid payment data received from server')
  return { payfastUrl: data.payfastUrl, paymentData: data.paymentData }
}

/** Leaves for the payment page: creates a form and submits it. */
export function goToPayment({ payfastUrl, paymentData }: PaymentForm): void {
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = payfastUrl
  form.hidden = true
  for (const [name, value] of Object.entries(paymentData)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

/** The link state that Try Again passes to the checkout. */
export interface PayAgain {
  /** The order whose payment was cancelled. */
  payAgainOrderId: string
}
