import { randomUUID } from 'node:crypto'
import { STICK_BAIT, POPPER_150 } from '#test/product-names.ts'
import { delivery } from '#test/shopping.ts'
import type { TestTransaction } from './sql.ts'

/** Claims for `sql.as`. */
export type UserClaims = {
  sub: string
  email: string
}

export interface Line {
  product_name: string
  product_variant: string
  price: number
  quantity: number
  with_hooks: boolean
}

/** Three of these cost R1500.00, the limit of free shipping. */
export const riggedStickBait: Line = {
  product_name: STICK_BAIT,
  product_variant: 'Blue Reaper',
  price: 500,
  quantity: 1,
  with_hooks: true,
}

export const popper: Line = {
  product_name: POPPER_150,
  product_variant: 'Redhead 150mm',
  price: 110,
  quantity: 1,
  with_hooks: false,
}

export async function aCustomer(
  sql: TestTransaction,
  email = `${randomUUID()}@example.com`,
): Promise<UserClaims> {
  const sub = randomUUID()
  await sql.rows('insert into auth.users (id, email) values ($1, $2)', [sub, email])
  return { sub, email }
}

/** A customer who has followed a mailed link. */
export async function aVerifiedCustomer(sql: TestTransaction, email?: string): Promise<UserClaims> {
  const person = await aCustomer(sql, email)
  await verifyMailbox(sql, person)
  return person
}

export async function verifyMailbox(sql: TestTransaction, { sub, email }: UserClaims): Promise<void> {
  await sql.rows(
    `insert into auth.mailbox_proofs (user_id, email, method) values ($1, lower($2), 'confirmation')`,
    [sub, email],
  )
}

export function anAdmin(sql: TestTransaction): Promise<UserClaims> {
  return aPersonWithRole(sql, 'admin')
}

export function aPacker(sql: TestTransaction): Promise<UserClaims> {
  return aPersonWithRole(sql, 'packer')
}

async function aPersonWithRole(sql: TestTransaction, role: 'admin' | 'packer'): Promise<UserClaims> {
  const person = await aCustomer(sql)
  await sql.rows(`insert into public.user_roles (user_id, role) values ($1, $2)`, [person.sub, role])
  return person
}

export async function putInCart(sql: TestTransaction, line: Partial<Line> = {}): Promise<void> {
  const { product_name, product_variant, price, quantity, with_hooks } = { ...riggedStickBait, ...line }
  await sql.rows(
    `insert into public.cart_items (product_name, product_variant, price, quantity, with_hooks) values ($1, $2, $3, $4, $5)`,
    [product_name, product_variant, price, quantity, with_hooks],
  )
}

export interface Placing {
  key?: string
  delivery?: Record<string, unknown>
  total: number | string | null
  promo?: string | null
}

export const PLACE_ORDER = `select * from public.place_order($1, $2, $3, $4)`

export function placing({ key = randomUUID(), promo = null, total, ...rest }: Placing): unknown[] {
  return [key, JSON.stringify(rest.delivery ?? delivery), total, promo]
}

export interface OrderRecord {
  id: string
  order_number: number
  status: string
  total_amount: string
  [column: string]: unknown
}

/** Orders the cart of the current session. */
export async function place(sql: TestTransaction, wanted: Placing): Promise<OrderRecord> {
  return sql.row<OrderRecord>(PLACE_ORDER, placing(wanted))
}

export async function orderOf(
  sql: TestTransaction,
  person: UserClaims,
  wanted: Placing & { lines: Partial<Line>[] },
): Promise<OrderRecord> {
  await sql.as(person)
  for (const line of wanted.lines) await putInCart(sql, line)
  const order = await place(sql, wanted)
  await sql.asShop()
  return order
}

export async function markOrderPaid(sql: TestTransaction, order: { id: string }): Promise<string> {
  await sql.asShop()
  return sql.value<string>('select private.mark_order_paid($1, now())', [order.id])
}

export async function statusOf(sql: TestTransaction, order: { id: string }): Promise<string> {
  return sql.value<string>('select status from public.orders where id = $1', [order.id])
}

const VARIANT = `select v.id from public.product_variants v join public.products p on p.id = v.product_id
  where p.name = $1 and v.name = $2`

export async function setStock(sql: TestTransaction, line: Line, quantity: number): Promise<void> {
  await sql.rows(`update public.product_variants set stock_quantity = $3 where id = (${VARIANT})`, [
    line.product_name,
    line.product_variant,
    quantity,
  ])
}

export async function stockCounts(
  sql: TestTransaction,
  line: Line,
): Promise<{ stock: number; available: number; movements: number }> {
  return sql.row(
    `select v.stock_quantity as stock, private.available_stock(v.id) as available,
      (select coalesce(sum(m.quantity), 0)::int from public.stock_movements m where m.variant_id = v.id) as movements
    from public.product_variants v where v.id = (${VARIANT})`,
    [line.product_name, line.product_variant],
  )
}

export interface PromoTerms {
  code: string
  discount_type: 'percentage' | 'fixed'
  discount_value: number
  min_order_amount?: number
  usage_limit?: number
  per_customer_limit?: number
  first_order_only?: boolean
  free_shipping?: boolean
  is_active?: boolean
  starts_at?: string
  expires_at?: string
}

export async function aPromoCode(sql: TestTransaction, terms: PromoTerms): Promise<string> {
  const columns = Object.keys(terms)
  return sql.value<string>(
    `insert into public.promo_codes (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(terms),
  )
}

export async function usesOf(sql: TestTransaction, code: string): Promise<number> {
  return sql.value<number>('select times_used from public.promo_codes where code = $1', [code])
}
