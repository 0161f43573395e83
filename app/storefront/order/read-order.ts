import type { BrowserClient } from '#database'
import { orderView, type OrderView } from '#domain/order.ts'

/** Throws when the order does not exist or belongs to another customer. */
export async function readOrder(client: BrowserClient, orderId: string): Promise<OrderView> {
  const { data, error } = await client
    .from('orders')
    .select('*, profiles(id, email, full_name, phone)')
    .eq('id', orderId)
    .single()
  if (error) throw error
  return orderView(data)
}
