import { randomUUID } from 'node:crypto'

import { type DatabasePools, inTransaction } from '@saltfreak/backend'
import type { Tables } from '#database'

import { as } from './database.ts'

export interface Buyer {
  userId: string
  email: string
}

export interface BuyerOrder extends Pick<Tables<'orders'>, 'id' | 'order_number' | 'status'> {
  total_amount: string
  paid_at: Date | null
  expires_at: Date | null
}

interface PlaceOrderOptions {
  product?: string
  variant?: string
  quantity?: number
  promoCode?: string
}

const PRICES: Record<string, number> = {
  'Slow Sinking Stick Bait (180mm/150G)': 400,
  'Chisel Nose Popper 150mm/30G': 110,
  'Chisel Nose Popper 200mm/50G': 140,
}

/** Inserts an account directly, without the auth service. */
export async function aBuyer(database: DatabasePools): Promise<Buyer> {
  const userId = randomUUID()
  const email = `buyer-${userId.slice(0, 8)}@example.com`
  await database.owner.query('insert into auth.users (id, email) values ($1, $2)', [userId, email])
  return { userId, email }
}

/** Fills the buyer's cart and places it, as the checkout page does. By default one popper for R240 with delivery. */
export async function placeOrder(
  database: DatabasePools,
  buyer: Buyer,
  options: PlaceOrderOptions = {},
): Promise<BuyerOrder> {
  const { product = 'Chisel Nose Popper 200mm/50G', quantity = 1 } = options
  const price = PRICES[product] ?? 0
  return inTransaction(database.owner, async (client) => {
    await as(client, { sub: buyer.userId })
    await client.query(
      `insert into public.cart_items (user_id, product_name, product_variant, price, quantity, with_hooks)
       values ($1, $2, coalesce($3, (
         select v.name from public.product_variants v join public.products p on p.id = v.product_id
         where p.name = $2 order by v.position limit 1)), $4, $5, false)`,
      [buyer.userId, product, options.variant ?? null, price, quantity],
    )
    const subtotal = price * quantity
    const total = subtotal + (subtotal >= 1500 ? 0 : 100)
    // The buyer confirms the total that the quote shows with the promo code.
    const { rows } = await client.query<BuyerOrder>(
      `select * from public.place_order(
         $1, $2, case when $4::text is null then $3 else (public.quote_cart($4) ->> 'total')::numeric end, $4)`,
      [randomUUID(), deliveryFor(buyer), total, options.promoCode ?? null],
    )
    const [order] = rows
    if (!order) throw new Error('no order was placed')
    return order
  })
}

export async function readOrder(database: DatabasePools, id: string): Promise<BuyerOrder | undefined> {
  const { rows } = await database.owner.query<BuyerOrder>('select * from public.orders where id = $1', [id])
  return rows[0]
}

function deliveryFor({ email }: Buyer) {
  return {
    full_name: "Thandi O'Neill",
    email,
    phone: '082 555 0148',
    address: '12 Beach Road',
    city: 'Kenton-on-Sea',
    state: 'Eastern Cape',
    zip_code: '6191',
    shipping_method: 'locker',
    locker_location: 'Kenton Spar',
    notes: 'Please ring twice',
  }
}
