import { randomUUID } from 'node:crypto'
import {
  aCustomer,
  aPacker,
  anAdmin,
  aPromoCode,
  orderOf,
  type UserClaims,
  popper,
  putInCart,
} from './shopping.ts'
import { STICK_BAIT } from '#test/product-names.ts'
import type { TestTransaction } from './sql.ts'

/** The public URL of an uploaded photo without a submission. */
const WAITING_PHOTO = '/storage/v1/object/public/gallery/0-1700000000.jpg'

/** A shop with one row in every table; rows of customers belong to `customer`. */
export interface Scene {
  customer: UserClaims
  other: UserClaims
  admin: UserClaims
  packer: UserClaims
  orderId: string
  draftId: string
}

export async function setScene(sql: TestTransaction): Promise<Scene> {
  const [customer, other] = [await aCustomer(sql), await aCustomer(sql)]
  const [admin, packer] = [await anAdmin(sql), await aPacker(sql)]
  await aPromoCode(sql, { code: 'TENNER', discount_type: 'fixed', discount_value: 10 })
  const order = await orderOf(sql, customer, { lines: [popper], total: 200, promo: 'TENNER' })
  await sql.as(customer)
  await putInCart(sql)
  const draftId = await sql.value<string>(
    `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
    values ($1, 210, 100, 'locker', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001') returning id`,
    [customer.sub],
  )
  await sql.asShop()
  await sql.rows(
    `with photo as (
      insert into public.gallery_submissions (customer_name, email, description, image_url, image_urls, created_at)
      values ('Sipho', 'sipho@example.com', 'Garrick', '/a.jpg', '{/a.jpg}', now() - interval '1 minute') returning id
    )
    insert into public.marketing_consents (email, customer_id, is_given, source, wording) values ($1, $2, true, 'sign-up', 'Send me news')`,
    [customer.email, customer.sub],
  )
  await sql.rows(`insert into storage.objects (bucket_id, name, version) values ('gallery', $1, 'waiting')`, [
    WAITING_PHOTO.slice(WAITING_PHOTO.lastIndexOf('/') + 1),
  ])
  await sql.rows(
    `insert into public.gallery_submissions (customer_name, description, image_url, image_urls, status)
     values ('Lerato', 'Kob', '/b.jpg', '{/b.jpg}', 'declined')`,
  )
  await sql.rows(`insert into public.newsletter_signups (email) values ('thandi@example.com')`)
  await sql.rows(
    `insert into public.contact_submissions (name, email, subject, message) values ('Sipho', 'sipho@example.com', 'Hooks', 'Which hooks do you use?')`,
  )
  await sql.rows(
    `insert into public.mails (key, template, recipient, props) values ('test', 'order-confirmation', $1, jsonb_build_object('orderId', $2::text))`,
    [customer.email, order.id],
  )
  await sql.as(admin)
  await sql.rows(`update public.gallery_submissions set status = 'declined' where customer_name = 'Sipho'`)
  await sql.rows(`update public.gallery_submissions set status = 'pending' where customer_name = 'Sipho'`)
  await sql.rows(`insert into public.order_notes (order_id, body) values ($1, 'Wrap it twice')`, [order.id])
  await sql.rows(`insert into public.client_notes (client_id, body) values ($1, 'Fishes at Mbotyi')`, [
    customer.sub,
  ])
  await sql.rows(
    `with setting as (insert into public.list_settings (list) values ('orders'))
    insert into public.saved_views (list, name, address) values ('orders', 'Up north', '?province=Limpopo')`,
  )
  await sql.rows(
    `insert into public.contact_answers (submission_id) select id from public.contact_submissions`,
  )
  await sql.asShop()
  await sql.rows(
    `insert into public.contact_submissions (name, email, subject, message) values ('Lerato', 'lerato@example.com', 'Size', 'Which size for shad?')`,
  )
  await sql.rows(
    `insert into public.contact_replies (submission_id, subject, message, replied_by)
     select id, 'Re: Size', 'The 150.', $1 from public.contact_submissions where name = 'Lerato'`,
    [admin.sub],
  )
  await sql.rows(
    `insert into public.stock_alerts (variant_id, email, wording) select id, 'sipho@example.com', 'Mail me' from public.product_variants limit 1`,
  )
  await sql.rows('select private.record_full_gallery()')
  await writeLedger(sql, order.id)
  return { customer, other, admin, packer, orderId: order.id, draftId }
}

/** Writes a late payment that was accepted and refunded (so that its order can be deleted), a resolved issue and an open one. */
async function writeLedger(sql: TestTransaction, orderId: string): Promise<void> {
  const [notice, payment, settled] = [randomUUID(), randomUUID(), randomUUID()]
  const rows = (text: string, ...values: string[]) => sql.rows(`insert into public.${text}`, values)
  await rows(
    `payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount) values ($1, 1, '00001-a', '10000100', 200)`,
    orderId,
  )
  await rows(
    `payment_notices (id, raw_body, m_payment_id, headers) values ($1, 'a=b', '00001-a', '{}')`,
    notice,
  )
  await rows(
    `payment_notice_checks (notice_id, check_name, result) values ($1, 'signature', 'passed')`,
    notice,
  )
  await rows(`payment_notice_outcomes (notice_id, outcome) values ($1, 'sold_out')`, notice)
  await rows(
    `payments (id, pf_payment_id, notice_id, order_id, amount_gross, outcome) values ($1, '1', $2, $3, 200, 'sold_out')`,
    payment,
    notice,
    orderId,
  )
  await rows(`payment_acceptances (payment_id, order_id, accepted_by) values ($1, $2, $2)`, payment, orderId)
  await rows(
    `payment_refunds (payment_id, order_id, amount, reason, restocked, recorded_by) values ($1, $2, 200, 'Scratched', false, $2)`,
    payment,
    orderId,
  )
  await rows(`payment_refund_events (refund_id, state) select id, 'done' from public.payment_refunds`)
  await rows(
    `payment_refund_items (refund_id, order_item_id, product_name, quantity) select id, id, 'Popper', 1 from public.payment_refunds`,
  )
  await rows(
    `payment_top_ups (payment_id, order_id, amount, requested_by) values ($1, $2, 1, $2)`,
    payment,
    orderId,
  )
  const mistake = randomUUID()
  await rows(
    `payments (id, way, recorded_by, order_id, amount_gross, outcome) values ($1, 'eft', $2, $2, 200, 'paid_twice')`,
    mistake,
    orderId,
  )
  await rows(
    `payment_withdrawals (payment_id, order_id, reason, withdrawn_by) values ($1, $2, 'By mistake', $2)`,
    mistake,
    orderId,
  )
  await rows(`refund_tasks (order_id, amount, outstanding) values ($1, 200, 0)`, orderId)
  await rows(`payment_issues (kind, notice_id) values ('denied', $1)`, notice)
  await rows(
    `payment_reconciliations (from_day, to_day, transactions, differences) values (now(), now(), 0, 0)`,
  )
  await rows(`payment_issues (id, kind, notice_id) values ($1, 'sold_out', $2)`, settled, notice)
  await rows(`payment_issue_resolutions (issue_id, note) values ($1, 'accepted')`, settled)
}

/** A valid insert for each table; rows of customers belong to `scene.customer`. */
export function insertInto(table: string, scene: Scene): string {
  const inserts: Record<string, string> = {
    cart_items: `(user_id, product_name, product_variant, price, quantity, with_hooks) values ('${scene.customer.sub}', '${popper.product_name}', '${popper.product_variant}', 142, 1, true)`,
    client_notes: `(client_id, body) values ('${scene.customer.sub}', 'Call first')`,
    contact_answers: `(submission_id) select id from public.contact_submissions where name = 'Lerato' union all select '${scene.orderId}' limit 1`,
    contact_submissions: `(name, email, subject, message) values ('Sipho', 'sipho@example.com', 'Hooks', 'Which hooks do you use?')`,
    courier_companies: `(name, contact_person, contact_phone) values ('Bakkie', 'Pieter', '082 000 0000')`,
    gallery_submissions: `(customer_name, email, description, image_url, image_urls, status) values ('Sipho', null, 'Shad', '${WAITING_PHOTO}', '{${WAITING_PHOTO}}', 'pending')`,
    list_settings: `(list) values ('profiles')`,
    newsletter_signups: `(email) values ('somebody@example.com')`,
    order_items: `(order_id, product_name, product_variant, price, quantity, with_hooks) values ('${scene.draftId}', '${popper.product_name}', '${popper.product_variant}', 110, 1, false)`,
    order_notes: `(order_id, body) values ('${scene.orderId}', 'Call first')`,
    orders: `(customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip) values ('${scene.customer.sub}', 210, 100, 'locker', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001')`,
    product_variants: `(product_id, name) select id, 'Zebra' from public.products limit 1`,
    products: `(name, description, price, image_url, category, stock_quantity) values ('Prototype', '', 90, '', 'Poppers', 1)`,
    saved_views: `(list, name, address) values ('orders', 'Down south', '?province=Western+Cape')`,
    user_roles: `(user_id, role) values ('${scene.other.sub}', 'admin')`,
    promo_codes: `(code, discount_type, discount_value) values ('OTHER', 'fixed', 10)`,
  }
  return `insert into public.${table} ${inserts[table] ?? 'default values'}`
}

/** An update that is allowed to everyone who may update the table at all. */
export function updateOf(table: string, scene: Scene, anyColumn: string): string {
  const changes: Record<string, string> = {
    cart_items: 'quantity = 2',
    courier_companies: 'is_archived = true',
    gallery_submissions: `description = 'Shad'`,
    list_settings: `density = 'compact'`,
    orders: `status = 'cancelled'`,
    product_variants: `image_alt = 'Alt'`,
    products: `description = 'New'`,
    profiles: `city = 'Durban'`,
    promo_codes: 'is_active = false',
    shop_settings: 'offers_locker = false',
  }
  return `update public.${table} set ${changes[table] ?? `${anyColumn} = default`} where ${rowsOf(table, scene)}`
}

/** Restricts tables in which everybody has rows to those of the customer, and the catalogue to a lure that no order has. */
export function rowsOf(table: string, scene: Scene): string {
  const conditions: Record<string, string> = {
    orders: `id = '${scene.orderId}'`,
    // The order's own lure cannot be deleted.
    product_variants: `product_id = (select p.id from public.products p where p.name = '${STICK_BAIT}')`,
    products: `name = '${STICK_BAIT}'`,
    profiles: `id = '${scene.customer.sub}'`,
    user_roles: `user_id = '${scene.customer.sub}'`,
  }
  return conditions[table] ?? 'true'
}
