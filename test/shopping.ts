import type { SupabaseClient } from '@supabase/supabase-js'
import type { Tables } from '#database'
import type { Person } from '#test/shop.ts'
import { POPPER_150, STICK_BAIT } from './product-names.ts'

/** A line as the product card puts it into the cart. */
export const stickBait = {
  product_name: STICK_BAIT,
  product_variant: 'Blue Reaper',
  price: 500,
  quantity: 1,
  with_hooks: true,
  image_url: '/storage/v1/object/public/catalogue/stick-bait-180-blue-reaper.jpg',
}

export const popper = {
  ...stickBait,
  product_name: POPPER_150,
  product_variant: 'Redhead 150mm',
  price: 110,
  with_hooks: false,
  image_url: '/storage/v1/object/public/catalogue/popper-150-red-head.jpg',
}

export const delivery = {
  full_name: 'Thandi Mokoena',
  email: 'thandi@example.com',
  phone: '082 123 4567',
  address: '14 Beach Road',
  city: 'Durban',
  state: 'KwaZulu-Natal',
  zip_code: '4001',
  shipping_method: 'door-to-door',
}

/** The row that the specified checkout inserts. */
export function orderRow(
  customerId: string,
  amounts: { total: number; shipping: number; discount?: number },
) {
  return {
    customer_id: customerId,
    total_amount: amounts.total,
    shipping_cost: amounts.shipping,
    discount_amount: amounts.discount ?? 0,
    promo_code_id: null,
    shipping_method: 'door-to-door',
    status: 'pending_payment',
    shipping_address: delivery.address,
    shipping_city: delivery.city,
    shipping_state: delivery.state,
    shipping_zip: delivery.zip_code,
    notes: null,
  }
}

/** An item row of that order. */
export function itemRow(orderId: string, line: typeof stickBait) {
  const { product_name, price, quantity, product_variant, with_hooks } = line
  return { order_id: orderId, product_name, price, quantity, product_variant, with_hooks }
}

export async function putInCart({ client, userId }: Person<SupabaseClient>, line = stickBait): Promise<void> {
  const { error } = await client.from('cart_items').insert({ user_id: userId, ...line })
  if (error) throw error
}

export type Placed = Pick<Tables<'orders'>, 'id' | 'order_number' | 'status' | 'total_amount' | 'customer_id'>

/** One rigged stick bait, R500.00 and R100.00 delivery, placed in one call as our own checkout does. */
export async function placeOrder(person: Person<SupabaseClient>): Promise<Placed> {
  await putInCart(person)
  return placed(person.client, 600)
}

export async function placed(
  client: SupabaseClient,
  expectedTotal: number,
  promoCode?: string,
): Promise<Placed> {
  const { data, error } = await client
    .rpc('place_order', {
      idempotency_key: crypto.randomUUID(),
      delivery,
      expected_total: expectedTotal,
      promo_code: promoCode ?? null,
    })
    .single<Placed>()
  if (error) throw error
  return data
}
