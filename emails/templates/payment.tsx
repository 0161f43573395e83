import { z } from 'zod'

import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { shop } from '#shop'

import { Layout } from '../parts/layout.tsx'
import { OrderLines } from '../parts/order-lines.tsx'
import { cancelledMoneyText, moneySchema, type MailedMoney } from '../parts/money.ts'
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
        charged. Your cart is as you left it; the lures are no longer reserved, so they go to whoever pays
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
    money: moneySchema.optional(),
  }),
)

export const refund = template<z.infer<typeof refundSchema>>({
  props: refundSchema,
  subject: ({ orderNumber, refundAmount }) =>
    `${formatTotal(refundAmount)} back for order ${orderNumberText(orderNumber)}`,
  Body: ({ publicUrl, refundAmount, refundReason, refundWay, money, ...order }) => (
    <Layout preview={`We have refunded ${formatTotal(refundAmount)}.`}>
      <Title>{formatTotal(refundAmount)} is on its way back</Title>
      <Paragraph>
        We have refunded <strong>{formatTotal(refundAmount)}</strong> of your order{' '}
        <strong>{orderNumberText(order.orderNumber)}</strong>
        {refundWay === 'payfast' && ' through PayFast, to what you paid with'}. Your bank may take a few days
        to show it.
      </Paragraph>
      {money && <Paragraph>{remainderText(money)}</Paragraph>}
      <Quiet>Reason: {refundReason}</Quiet>
      <Action href={orderPage(order, publicUrl)}>View your order</Action>
      <Subtitle>Your order</Subtitle>
      <OrderLines order={order} publicUrl={publicUrl} />
    </Layout>
  ),
})

const day = new Intl.DateTimeFormat(shop.locale, { dateStyle: 'long', timeZone: shop.timeZone })

const correctionSchema = orderSchema.and(
  z.object({
    refundAmount: z.number().transform(centsFromRand),
    refundedAt: z.coerce.date(),
    hadReturns: z.boolean(),
    money: moneySchema,
  }),
)

/** To the customer who was told of a refund that was recorded by mistake. */
export const refundCorrection = template<z.infer<typeof correctionSchema>>({
  props: correctionSchema,
  subject: ({ orderNumber }) => `Correction to your refund for order ${orderNumberText(orderNumber)}`,
  Body: ({ publicUrl, refundAmount, refundedAt, hadReturns, money, ...order }) => (
    <Layout preview={`We did not send you ${formatTotal(refundAmount)}.`}>
      <Title>Correction to your refund</Title>
      <Paragraph>
        We told you on {day.format(refundedAt)} that we refunded <strong>{formatTotal(refundAmount)}</strong>{' '}
        of your order <strong>{orderNumberText(order.orderNumber)}</strong>. That was recorded by mistake: we
        did not send you this {formatTotal(refundAmount)}. We are sorry for the confusion.
      </Paragraph>
      <Paragraph>
        {order.status === 'cancelled' ? cancelledMoneyText(money) : remainderText(money)}
        {hadReturns &&
          order.status !== 'cancelled' &&
          ' The lures that we took off your order are part of it again.'}
      </Paragraph>
      <Action href={orderPage(order, publicUrl)}>View your order</Action>
      <Quiet>Questions? Reply to this e-mail or call {shop.contact.phone}.</Quiet>
    </Layout>
  ),
})

/** What was paid, what went back in all, and what remains. */
function remainderText({ received, refunded }: MailedMoney): string {
  const remaining = received - refunded
  if (refunded === 0) return `The ${formatTotal(received)} that you paid remains paid for your order.`
  return [
    `You paid ${formatTotal(received)} in all`,
    `we have refunded ${formatTotal(refunded)} of it`,
    remaining > 0
      ? `${formatTotal(remaining)} remains paid for your order.`
      : 'nothing remains paid for your order.',
  ].join('; ')
}

const topUpSchema = orderSchema.and(
  z.object({
    amountPaid: z.number().transform(centsFromRand),
    amountDue: z.number().transform(centsFromRand),
  }),
)

/** To the customer who paid too little, when an admin asks for the rest. */
export const paymentTopUp = template<z.infer<typeof topUpSchema>>({
  props: topUpSchema,
  subject: ({ orderNumber, amountDue }) =>
    `${formatTotal(amountDue)} is missing for order ${orderNumberText(orderNumber)}`,
  Body: ({ publicUrl, amountPaid, amountDue, ...order }) => (
    <Layout preview={`Please pay the missing ${formatTotal(amountDue)}.`}>
      <Title>{formatTotal(amountDue)} is missing</Title>
      <Paragraph>
        We received <strong>{formatTotal(amountPaid)}</strong> for your order{' '}
        <strong>{orderNumberText(order.orderNumber)}</strong>, which costs {formatTotal(order.totalAmount)}.
        Please pay the missing <strong>{formatTotal(amountDue)}</strong>; then we start on it.
      </Paragraph>
      <Action href={orderPage(order, publicUrl)}>Pay {formatTotal(amountDue)}</Action>
      <Quiet>
        You would rather have your money back? Reply to this e-mail or call {shop.contact.phone}, and we
        refund the {formatTotal(amountPaid)}.
      </Quiet>
      <Subtitle>Your order</Subtitle>
      <OrderLines order={order} publicUrl={publicUrl} />
    </Layout>
  ),
})
