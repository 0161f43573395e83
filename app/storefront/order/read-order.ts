import type { ShopClient, Tables } from '#database'

export type ConfirmationOrder = Pick<
  Tables<'orders'>,
  'id' | 'order_number' | 'status' | 'total_amount' | 'paid_at'
> & { profiles: Pick<Tables<'profiles'>, 'email'> | null }

/** Throws when the order does not exist or belongs to another customer. */
export async function readOrder(client: ShopClient, orderId: string): Promise<ConfirmationOrder> {
  const { data, error } = await client
    .from('orders')
    .select('*, profiles(id, email, full_name, phone)')
    .eq('id', orderId)
    .single()
  if (error) throw error
  return data
}

export function isPaid({ paid_at, status }: ConfirmationOrder): boolean {
  return paid_at !== null && status !== 'cancelled'
}
