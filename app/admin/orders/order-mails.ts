import { loadBackend } from '#app/data/backend.ts'
import { addressLine, customerEmail, customerName, type Courier, type Order } from './order.ts'
import { loadOrderItems } from './order-queries.ts'

/**
 * Sends the mails that follow a change of status. Never rejects: an error is logged, because the status is already saved.
 */
export async function sendStatusMail(order: Order, status: string, courier?: Courier): Promise<void> {
  try {
    if (status === 'new') await sendConfirmationMails(order)
    else await invoke('send-order-status-update', await statusUpdate(order, status, courier))
  } catch (error) {
    console.error(`no mail about order ${order.order_number}`, error)
  }
}

async function sendConfirmationMails(order: Order): Promise<void> {
  const confirmation = await orderConfirmation(order)
  await Promise.all([
    invoke('send-order-confirmation', confirmation),
    invoke('send-order-notification', {
      ...confirmation,
      customerPhone: order.profiles?.phone ?? order.customer_phone,
      subtotal: order.subtotal_amount,
      discountAmount: order.discount_amount,
      notes: order.notes,
    }),
  ])
}

async function invoke(name: string, body: Record<string, unknown>): Promise<void> {
  const backend = await loadBackend()
  const { error } = await backend.functions.invoke(name, { body })
  if (error) throw error
}

async function statusUpdate(order: Order, status: string, courier?: Courier) {
  return {
    customerEmail: customerEmail(order),
    customerName: customerName(order),
    orderId: order.id,
    orderNumber: order.order_number,
    status,
    trackingNumber: order.tracking_number,
    courierCompany: courier?.name,
    courierContact: courier?.contact_phone,
    orderItems: await itemsOf(order),
    totalAmount: order.total_amount,
    shippingAddress: addressLine(order),
  }
}

/** The specification fixes the shipping cost and method; the server ignores them and builds the mail from the order. */
async function orderConfirmation(order: Order) {
  return {
    customerEmail: customerEmail(order),
    customerName: customerName(order),
    orderId: order.id,
    orderNumber: order.order_number,
    items: await itemsOf(order),
    totalAmount: order.total_amount,
    shippingCost: 0,
    shippingMethod: 'standard',
    shippingAddress: order.shipping_address,
    shippingCity: order.shipping_city,
    shippingState: order.shipping_state,
    shippingZip: order.shipping_zip,
  }
}

async function itemsOf(order: Order) {
  const items = await loadOrderItems(order.id)
  return items.map(({ product_name, quantity, price, product_variant, with_hooks }) => ({
    product_name,
    quantity,
    price,
    product_variant,
    with_hooks,
  }))
}
