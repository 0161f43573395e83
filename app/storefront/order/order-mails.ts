import type { ShopClient, Tables } from '#database'

type OrderRow = Tables<'orders'> & {
  profiles: Pick<Tables<'profiles'>, 'email' | 'full_name' | 'phone'> | null
}

const ORDER_COLUMNS = '*, profiles(id, email, full_name, phone)'

/**
 * Requests the buyer's and the shop's e-mail about an order. Idempotent: the server sends each e-mail once. Failures are only
 * logged.
 */
export async function sendOrderMails(client: ShopClient, orderId: string): Promise<void> {
  try {
    const [order, items] = await Promise.all([
      client.from('orders').select(ORDER_COLUMNS).eq('id', orderId).single(),
      client.from('order_items').select('*').eq('order_id', orderId),
    ])
    if (order.error) throw order.error
    if (items.error) throw items.error
    const bodies = requestBodies(order.data, items.data)
    await Promise.all([
      request(client, 'send-order-confirmation', bodies.confirmation),
      request(client, 'send-order-notification', bodies.notification),
    ])
  } catch (error) {
    console.error('the order e-mails were not requested', error)
  }
}

async function request(client: ShopClient, name: string, body: object): Promise<void> {
  const { error } = await client.functions.invoke(name, { body })
  if (error) console.error(`${name} failed`, error)
}

function requestBodies(order: OrderRow, items: Tables<'order_items'>[]) {
  const confirmation = {
    orderId: order.id,
    orderNumber: order.order_number,
    customerEmail: order.profiles?.email,
    customerName: order.profiles?.full_name,
    items: items.map(({ product_name, quantity, price, product_variant, with_hooks }) => ({
      product_name,
      quantity,
      price,
      product_variant,
      with_hooks,
    })),
    totalAmount: order.total_amount,
    shippingCost: order.shipping_cost,
    shippingMethod: order.shipping_method,
    shippingAddress: order.shipping_address,
    shippingCity: order.shipping_city,
    shippingState: order.shipping_state,
    shippingZip: order.shipping_zip,
  }
  const notification = {
    ...confirmation,
    customerPhone: order.profiles?.phone,
    subtotal: order.subtotal_amount,
    discountAmount: order.discount_amount,
    notes: order.notes,
  }
  return { confirmation, notification }
}
