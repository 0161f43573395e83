import { formatTotal } from '#domain/money.ts'

import { DeliveryAddress } from '../parts/delivery-address.tsx'
import { Layout } from '../parts/layout.tsx'
import { OrderLinesAndTotals } from '../parts/order-lines-and-totals.tsx'
import { orderSchema } from '../parts/order.ts'
import { Action, Paragraph, Quotation, Subtitle, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

/** To the shop. A reply goes to the customer. */
export const orderNotification = template({
  props: orderSchema,
  replyTo: ({ customerEmail }) => customerEmail,
  subject: ({ number, customerName, totalCents }) =>
    `New order ${number}: ${formatTotal(totalCents)} from ${customerName || 'a customer'}`,
  Body: ({ publicUrl, ...order }) => (
    <Layout preview={`${order.lines.length} lines, ${formatTotal(order.totalCents)}`}>
      <Title>New order {order.number}</Title>
      <Paragraph>
        {[order.customerName, order.customerEmail, order.customerPhone].filter(Boolean).join(' · ')}
      </Paragraph>
      <Action href={new URL(`/admin/orders/${order.id}`, publicUrl).href}>Open the order</Action>
      <Subtitle>To make and pack</Subtitle>
      <OrderLinesAndTotals order={order} publicUrl={publicUrl} />
      <DeliveryAddress order={order} />
      {order.isHandOver && <Paragraph>Handed over in person: nothing to ship.</Paragraph>}
      {order.notes && (
        <>
          <Subtitle>Note from the customer</Subtitle>
          <Quotation>{order.notes}</Quotation>
        </>
      )}
    </Layout>
  ),
})
