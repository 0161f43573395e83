import { formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'

import { DeliveryAddress } from '../parts/delivery-address.tsx'
import { Layout } from '../parts/layout.tsx'
import { OrderLinesAndTotals } from '../parts/order-lines-and-totals.tsx'
import { isHandOver, orderSchema, type MailedOrder } from '../parts/order.ts'
import { Action, Paragraph, Quotation, Subtitle, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

/** To the shop. A reply goes to the customer. */
export const orderNotification = template<MailedOrder>({
  props: orderSchema,
  replyTo: ({ customerEmail }) => customerEmail ?? null,
  subject: ({ orderNumber, customerName, totalAmount }) =>
    `New order ${orderNumberText(orderNumber)}: ${formatTotal(totalAmount)} from ${customerName || 'a customer'}`,
  Body: ({ publicUrl, ...order }) => (
    <Layout preview={`${order.items.length} lines, ${formatTotal(order.totalAmount)}`}>
      <Title>New order {orderNumberText(order.orderNumber)}</Title>
      <Paragraph>
        {[order.customerName, order.customerEmail, order.customerPhone].filter(Boolean).join(' · ')}
      </Paragraph>
      <Action href={new URL(`/admin/orders/${order.orderId}`, publicUrl).href}>Open the order</Action>
      <Subtitle>To make and pack</Subtitle>
      <OrderLinesAndTotals order={order} publicUrl={publicUrl} />
      <DeliveryAddress order={order} />
      {isHandOver(order) && <Paragraph>Handed over in person: nothing to ship.</Paragraph>}
      {order.notes && (
        <>
          <Subtitle>Note from the customer</Subtitle>
          <Quotation>{order.notes}</Quotation>
        </>
      )}
    </Layout>
  ),
})
