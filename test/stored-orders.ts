import type { SupabaseClient } from '@supabase/supabase-js'
import { staffOrder, type StaffOrder } from '#domain/order.ts'
import type { TestShop } from './shop.ts'
import { placeOrder } from './shopping.ts'

type Shop = TestShop<SupabaseClient>

/** Returns an order as staff read it. */
export async function readStaffOrder(admin: SupabaseClient, id: string): Promise<StaffOrder> {
  const { data } = await admin
    .from('orders')
    .select('*, refund_tasks(*), order_items(*)')
    .eq('id', id)
    .single()
    .throwOnError()
  return staffOrder(data)
}

/** Lets a new customer place an order, marks it as paid, and returns it as staff read it. */
export async function paidStaffOrder(shop: Shop, admin: SupabaseClient): Promise<StaffOrder> {
  const { id } = await placeOrder(await shop.signUp())
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [id])
  return readStaffOrder(admin, id)
}

/** Adds copies of an order, without its lines, that differ from it in these columns. Their numbers are far from the next orders'. */
export async function copyOrder(
  { database: { owner } }: Shop,
  id: string,
  { count, columns }: { count: number; columns: Record<string, string> },
): Promise<void> {
  await owner.query('alter table public.orders disable trigger user')
  await owner.query(
    `insert into public.orders select (jsonb_populate_record(o, $3::jsonb || jsonb_build_object(
         'id', gen_random_uuid(), 'idempotency_key', gen_random_uuid(),
         'order_number', (select max(order_number) from public.orders) + 1000 + n))).*
       from public.orders o, generate_series(1, $2::int) n where o.id = $1`,
    [id, count, JSON.stringify(columns)],
  )
  await owner.query('alter table public.orders enable trigger user')
}

/** Changes an order past the rules for changes. */
export async function overwriteOrder(
  { database: { owner } }: Shop,
  id: string,
  assignments: string,
): Promise<void> {
  await owner.query('alter table public.orders disable trigger user')
  await owner.query(`update public.orders set ${assignments} where id = $1`, [id])
  await owner.query('alter table public.orders enable trigger user')
}
