import { z } from 'zod'

import { orderStatusLabel } from '#domain/order-status.ts'
import { trackingLink } from '#domain/tracking.ts'
import { shop } from '#shop'

import { DeliveryAddress } from '../parts/delivery-address.tsx'
import { Layout } from '../parts/layout.tsx'
import { OrderLinesAndTotals } from '../parts/order-lines-and-totals.tsx'
import { cancelledMoneyText, moneySchema } from '../parts/money.ts'
import { orderPage, orderSchema, type MailedOrder } from '../parts/order.ts'
import { Action, Paragraph, Muted, MutedLink, Subtitle, Title } from '../parts/text.tsx'
import { ViewOrder } from '../parts/view-order.tsx'
import { template } from '../template.ts'

const schema = orderSchema.and(
  z.object({
    money: moneySchema.optional(),
    /** The order was cancelled before this change. */
    isReinstated: z.boolean().default(false),
  }),
)

type Update = z.infer<typeof schema>

/** To the customer when an order moves on. */
export const orderStatusUpdate = template<Update>({
  props: schema,
  subject: ({ number, status, isReinstated }) =>
    `Order ${number}: ${isReinstated ? 'Reinstated' : orderStatusLabel(status)}`,
  Body: ({ publicUrl, ...order }) => {
    const { number } = order
    return (
      <Layout preview={`Order ${number}: ${orderStatusLabel(order.status)}`}>
        <Title>{headline(order)}</Title>
        <Paragraph>{message(order)}</Paragraph>
        {order.status === 'cancelled' && order.money && (
          <Paragraph>{cancelledMoneyText(order.money)}</Paragraph>
        )}
        {order.status === 'shipped' && <Tracking order={order} />}
        <OrderLinks order={order} publicUrl={publicUrl} />
        <Subtitle>Your lures</Subtitle>
        <OrderLinesAndTotals order={order} publicUrl={publicUrl} />
        {order.status !== 'cancelled' && <DeliveryAddress order={order} />}
      </Layout>
    )
  },
})

/** Links to the courier's page of the parcel, if there is one, and to the order. */
function OrderLinks({ order, publicUrl }: { order: MailedOrder; publicUrl: string }) {
  const { status, courier, trackingNumber } = order
  const parcel = status === 'shipped' && trackingLink(courier?.tracking_url ?? null, trackingNumber)
  if (!parcel) return <ViewOrder order={order} publicUrl={publicUrl} />
  return (
    <>
      <Action href={new URL(parcel, publicUrl).href}>Track your parcel</Action>
      {order.hasAccount && (
        <Muted>
          <MutedLink href={orderPage(order, publicUrl)}>View your order</MutedLink>
        </Muted>
      )}
    </>
  )
}

function Tracking({ order }: { order: MailedOrder }) {
  if (!order.trackingNumber) return null
  const contact = [order.courier?.contact_person, order.courier?.contact_phone].filter(Boolean).join(', ')
  return (
    <Paragraph>
      Tracking number <strong>{order.trackingNumber}</strong>
      {order.courier && ` with ${order.courier.name}`}
      {contact && ` (${contact})`}.
    </Paragraph>
  )
}

const HEADLINES: Record<string, string> = {
  processing: 'On the bench',
  shipped: 'On its way',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
}

function headline({ status, isReinstated, isHandOver }: Update): string {
  if (isReinstated) return 'Back on the bench'
  if (status === 'delivered' && isHandOver) return 'Thank you'
  return HEADLINES[status] ?? 'Your order'
}

function message({ number, status, isReinstated, isHandOver }: Update): string {
  if (isReinstated) {
    return `We cancelled your order ${number} and have now reinstated it. We are preparing it again, and your payment still counts. You don’t need to do anything.`
  }
  if (status === 'delivered' && isHandOver) {
    return `We handed your order ${number} over to you in person. Wet a line and send us a photo.`
  }
  const messages: Record<string, string> = {
    processing: `We are making and packing your order ${number}.`,
    shipped: `Your order ${number} has left the workshop.`,
    delivered: `Your order ${number} has been delivered. Wet a line and send us a photo.`,
    cancelled: `Your order ${number} is cancelled. If you did not ask for this, call ${shop.contact.phone}.`,
  }
  return messages[status] ?? `Your order ${number} is now: ${orderStatusLabel(status)}.`
}
