import { z } from 'zod'

import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { shop } from '#shop'

import { Layout } from '../parts/layout.tsx'
import { OrderLines } from '../parts/order-lines.tsx'
import { orderPage, orderSchema, type MailedOrder } from '../parts/order.ts'
import { Action, Paragraph, Quiet, Subtitle, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

/** To the customer, once, while an unpaid order can still be paid. */
export const paymentReminder = template<MailedOrder>({
  props: orderSchema,
  subject: ({ orderNumber }) => `Order ${orderNumberText(orderNumber)} still waits for its payment`,
  Body: ({ publicUrl, ...order }) => (
    <Layout preview="Your cart is as you left it.">
      <Title>Still want these?</Title>
      <Paragraph>
        Your order <strong>{orderNumberText(order.orderNumber)}</strong> is not paid yet, and nothing was
        charged. Your cart is as you left it; the lures are no longer set aside, so they go to whoever pays
        first.
      </Paragraph>
      <Action href={new URL(`/account/orders/${order.orderId}`, publicUrl).href}>Finish paying</Action>
      <Subtitle>Your lures</Subtitle>
      <OrderLines order={order} publicUrl={publicUrl} />
      <Quiet>
        Changed your mind? Then do nothing: an order that stays unpaid for {shop.orders.unpaidExpireHours}{' '}
        hours cancels itself. This is the only reminder.
      </Quiet>
    </Layout>
  ),
})

const refundSchema = orderSchema.and(
  z.object({
    refundAmount: z.number().transform(centsFromRand),
    refundReason: z.string(),
    refundWay: z.enum(['payfast', 'by_hand']).default('by_hand'),
  }),
)

export const refund = template<z.infer<typeof refundSchema>>({
  props: refundSchema,
  subject: ({ orderNumber, refundAmount }) =>
    `${formatTotal(refundAmount)} back for order ${orderNumberText(orderNumber)}`,
  Body: ({ publicUrl, refundAmount, refundReason, refundWay, ...order }) => (
    <Layout preview={`We have refunded ${formatTotal(refundAmount)}.`}>
      <Title>{formatTotal(refundAmount)} is on its way back</Title>
      <Paragraph>
        We have refunded <strong>{formatTotal(refundAmount)}</strong> of your order{' '}
        <strong>{orderNumberText(order.orderNumber)}</strong>
        {refundWay === 'payfast' && ' through PayFast, to what you paid with'}. Your bank may take a few days
        to show it.
      </Paragraph>
      <Quiet>Reason: {refundReason}</Quiet>
      <Action href={orderPage(order, publicUrl)}>View your order</Action>
      <Subtitle>Your order</Subtitle>
      <OrderLines order={order} publicUrl={publicUrl} />
    </Layout>
  ),
})
