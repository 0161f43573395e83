import type { SupabaseClient } from '@supabase/supabase-js'

/** What the payment pages need of an order of the customer's own. */
export interface OwnOrder {
  id: string
  order_number: number
  status: string
  total_amount: number
  paid_at: string | null
  profiles: { email: string | null } | null
}

/** Throws when there is no such order, or it is somebody else's: the two look the same. */
export async function readOrder(client: SupabaseClient, orderId: string): Promise<OwnOrder> {
  const { data, error } = await client
    .from('orders')
    .select('*, profiles(id, email, full_name, phone)')
    .eq('id', orderId)
    .single<OwnOrder>()
  if (error) throw error
  return data
}

export function isPaid({ paid_at, status }: OwnOrder): boolean {
  return paid_at !== null && status !== 'cancelled'
}
