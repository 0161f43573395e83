import { z } from 'zod'

import { dateFormat } from '#domain/dates.ts'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { shop } from '#shop'

import { Layout } from '../parts/layout.tsx'
import { OrderLinesAndTotals } from '../parts/order-lines-and-totals.tsx'
import { cancelledMoneyText, moneySchema, type MailedMoney } from '../parts/money.ts'
import { orderPage, orderSchema } from '../parts/order.ts'
import { Action, Paragraph, Muted, Subtitle, Title } from '../parts/text.tsx'
import { ViewOrder } from '../parts/view-order.tsx'
import { template } from '../template.ts'

const day = dateFormat({ dateStyle: 'long' })

/** By template name, as in the outbox. */
export const paymentMails = {
  /** To the customer, once, while an unpaid order can still be paid. */
  'payment-reminder': template({
    props: orderSchema,
    subject: ({ number }) => `Order ${number} is waiting for payment`,
    Body: ({ publicUrl, ...order }) => (
      <Layout preview="Your cart is as you left it.">
        <Title>Still want these?</Title>
        <Paragraph>
          We have no payment for your order <strong>{order.number}</strong> yet. Your cart is as you left it,
          but the lures are no longer reserved: the first buyer who pays gets them.
        </Paragraph>
        {/* PayFast's notice may be late or lost. */}
        <Paragraph>If you have paid, please don’t pay again: reply to this e-mail.</Paragraph>
        <Action href={orderPage(order, publicUrl)}>Finish paying</Action>
        <Subtitle>Your lures</Subtitle>
        <OrderLinesAndTotals order={order} publicUrl={publicUrl} />
        <Muted>
          Changed your mind? You don’t need to do anything: we cancel unpaid orders after{' '}
          {shop.orders.unpaidExpireHours} hours. This is the only reminder.
        </Muted>
      </Layout>
    ),
  }),

  refund: template({
    props: orderSchema.and(
      z.object({
        refundAmount: z.number().transform(centsFromRand),
        refundReason: z.string(),
        refundWay: z.enum(['payfast', 'by_hand']).default('by_hand'),
        money: moneySchema.optional(),
      }),
    ),
    subject: ({ number, refundAmount }) => `Refund of ${formatTotal(refundAmount)} for order ${number}`,
    Body: ({ publicUrl, refundAmount, refundReason, refundWay, money, ...order }) => (
      <Layout preview={`We have refunded ${formatTotal(refundAmount)}.`}>
        <Title>{formatTotal(refundAmount)} is on its way back to you</Title>
        <Paragraph>
          We have refunded <strong>{formatTotal(refundAmount)}</strong> of your order{' '}
          <strong>{order.number}</strong>
          {refundWay === 'payfast' && ' through PayFast, to the card or bank account that you paid with'}.
          Your bank may take a few days to show it.
        </Paragraph>
        {money && <Paragraph>{remainderText(money, order.status)}</Paragraph>}
        <Muted>Reason: {refundReason}</Muted>
        <ViewOrder order={order} publicUrl={publicUrl} />
        <Subtitle>Your order</Subtitle>
        <OrderLinesAndTotals order={order} publicUrl={publicUrl} />
      </Layout>
    ),
  }),

  /** To the customer who was notified of a refund that was recorded by mistake. */
  'refund-correction': template({
    props: orderSchema.and(
      z.object({
        refundAmount: z.number().transform(centsFromRand),
        refundedAt: z.coerce.date(),
        hadReturns: z.boolean(),
        money: moneySchema,
      }),
    ),
    subject: ({ number }) => `Correction to your refund for order ${number}`,
    Body: ({ publicUrl, refundAmount, refundedAt, hadReturns, money, ...order }) => (
      <Layout preview={`We did not send you ${formatTotal(refundAmount)}.`}>
        <Title>Correction to your refund</Title>
        <Paragraph>
          We told you on {day(refundedAt)} that we refunded <strong>{formatTotal(refundAmount)}</strong> of
          your order <strong>{order.number}</strong>. That was recorded by mistake: we did not send you this{' '}
          {formatTotal(refundAmount)}. We’re sorry for the confusion.
        </Paragraph>
        <Paragraph>
          {order.status === 'cancelled' ? cancelledMoneyText(money) : remainderText(money, order.status)}
          {hadReturns &&
            order.status !== 'cancelled' &&
            ' The lures that we had taken off your order are part of it again.'}
        </Paragraph>
        <ViewOrder order={order} publicUrl={publicUrl} />
        <Muted>Questions? Reply to this e-mail or call {shop.contact.phone}.</Muted>
      </Layout>
    ),
  }),

  /** To the customer who was told of a payment that was recorded by mistake. */
  'payment-correction': template({
    props: orderSchema.and(
      z.object({
        paymentAmount: z.number().transform(centsFromRand),
        recordedAt: z.coerce.date(),
        money: moneySchema,
      }),
    ),
    subject: ({ number }) => `Correction to your payment for order ${number}`,
    Body: ({ publicUrl, paymentAmount, recordedAt, money, ...order }) => (
      <Layout preview={`We have not received ${formatTotal(paymentAmount)} from you.`}>
        <Title>Correction to your payment</Title>
        <Paragraph>
          We told you on {day(recordedAt)} that we received <strong>{formatTotal(paymentAmount)}</strong> for
          your order <strong>{order.number}</strong>. That was recorded by mistake: we have not received this{' '}
          {formatTotal(paymentAmount)} from you. We’re sorry for the confusion.
        </Paragraph>
        <Paragraph>
          {order.status === 'cancelled'
            ? `Your order is cancelled. ${money.received === 0 ? 'We have no payment for it.' : cancelledMoneyText(money)}`
            : 'Your order is waiting for payment again. If you have paid, please don’t pay again: reply to this e-mail.'}
        </Paragraph>
        <ViewOrder order={order} publicUrl={publicUrl} />
        <Muted>Questions? Reply to this e-mail or call {shop.contact.phone}.</Muted>
      </Layout>
    ),
  }),

  /** To the customer who paid too little, when an admin asks for the rest. */
  'payment-top-up': template({
    props: orderSchema.and(
      z.object({
        amountPaid: z.number().transform(centsFromRand),
        amountDue: z.number().transform(centsFromRand),
      }),
    ),
    subject: ({ number, amountDue }) => `${formatTotal(amountDue)} left to pay for order ${number}`,
    Body: ({ publicUrl, amountPaid, amountDue, ...order }) => (
      <Layout preview={`Please pay the remaining ${formatTotal(amountDue)}.`}>
        <Title>{formatTotal(amountDue)} left to pay</Title>
        <Paragraph>
          We received <strong>{formatTotal(amountPaid)}</strong> for your order{' '}
          <strong>{order.number}</strong>, which costs {formatTotal(order.totalCents)}. Please pay the
          remaining <strong>{formatTotal(amountDue)}</strong>, and we’ll start on it.
        </Paragraph>
        <Action href={orderPage(order, publicUrl)}>Pay {formatTotal(amountDue)}</Action>
        <Muted>
          Would you rather have your money back? Reply to this e-mail or call {shop.contact.phone}, and we’ll
          refund the {formatTotal(amountPaid)}.
        </Muted>
        <Subtitle>Your order</Subtitle>
        <OrderLinesAndTotals order={order} publicUrl={publicUrl} />
      </Layout>
    ),
  }),
}

/** The amounts paid and refunded, and what happens to the rest. */
function remainderText(money: MailedMoney, status: string): string {
  const { received, refunded } = money
  const remaining = received - refunded
  const paid = `You paid ${formatTotal(received)} in total`
  if (refunded === 0) return `${paid}, and all of it still counts towards your order.`
  if (remaining <= 0) return `${paid}, and we have now refunded all of it.`
  if (status === 'cancelled') return cancelledMoneyText(money)
  return `${paid}, and we have refunded ${formatTotal(refunded)} of it. The remaining ${formatTotal(remaining)} still counts towards your order.`
}
