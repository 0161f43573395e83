import { shop } from '#shop'

import { DeliveryAddress } from '../parts/delivery-address.tsx'
import { Layout } from '../parts/layout.tsx'
import { OrderLinesAndTotals } from '../parts/order-lines-and-totals.tsx'
import { orderSchema } from '../parts/order.ts'
import { Paragraph, Muted, Subtitle, Title } from '../parts/text.tsx'
import { ViewOrder } from '../parts/view-order.tsx'
import { template } from '../template.ts'

/** To the customer, when an order is paid or its total is zero. */
export const orderConfirmation = template({
  props: orderSchema,
  subject: ({ number }) => `Order ${number} is confirmed`,
  Body: ({ publicUrl, ...order }) => {
    const { number } = order
    const { shipping } = shop
    return (
      <Layout
        preview={
          order.isHandOver
            ? `We have your order ${number} and will hand it over to you in person.`
            : `We have your order ${number} and are getting it ready.`
        }
      >
        <Title>Thank you{order.customerName && `, ${firstName(order.customerName)}`}.</Title>
        <Paragraph>
          Your order <strong>{number}</strong> {order.totalCents > 0 ? 'is paid' : 'is confirmed'}.{' '}
          {order.isHandOver ? (
            <>We’ll hand it over to you in person, as agreed. Questions? Call {shop.contact.phone}.</>
          ) : (
            <>
              {order.mustBeMade &&
                `At least one of your lures is made to order, which takes ${shipping.makingDays.join('–')} business days. `}
              We’ll pack it within {order.mustBeMade && 'another '}
              {shipping.processingDays.join('–')} business days, and {shipping.courier} takes another{' '}
              {shipping.deliveryDays.join('–')}. We’ll e-mail you the tracking number when it leaves the
              workshop.
            </>
          )}
        </Paragraph>
        <ViewOrder order={order} publicUrl={publicUrl} />
        <Subtitle>Your lures</Subtitle>
        <OrderLinesAndTotals order={order} publicUrl={publicUrl} />
        <DeliveryAddress order={order} />
        {order.notes && <Muted>Your note: {order.notes}</Muted>}
        <CoolingOff />
      </Layout>
    )
  },
})

/** The law requires this notice of the right to cancel (ECT Act s43(1)(r) and s44). */
function CoolingOff() {
  const { contact, returns } = shop
  return (
    <>
      <Subtitle>Changed your mind?</Subtitle>
      <Muted>
        You may cancel within {returns.coolingOffDays} days of receiving your order, without giving a reason.
        Reply to this e-mail or call {contact.phone}. We refund the full price within 30 days; you pay only
        for sending the lures back. If a lure is faulty, we repair, replace or refund it at our cost for{' '}
        {returns.defectMonths} months.
      </Muted>
    </>
  )
}

function firstName(name: string): string {
  return name.trim().split(/\s+/, 1)[0] ?? name
}
