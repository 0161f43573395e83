import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokedAdmin } from '#test/revoked-admin.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder, type Placed } from '#test/shopping.ts'

const LERATO = 'lerato@example.com'
const NOBODY = '00000000-0000-4000-8000-000000000000'

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
let buyer: Person<SupabaseClient>
let order: Placed
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  buyer = await shop.signUp()
  order = await placeOrder(buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [order.id])
  await shop.database.owner.query(
    `insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount)
     values ($1, $2, 'test-1', '10000100', 600)`,
    [order.id, order.order_number],
  )
  await shop
    .client()
    .from('contact_submissions')
    .insert({ name: 'Lerato', email: LERATO, subject: 'Hooks', message: 'Which hooks do you use?' })
  await admin.client.from('order_notes').insert({ order_id: order.id, body: 'Wrap it twice' })
})
afterAll(() => shop.close())

const PEOPLE: Record<string, () => Promise<SupabaseClient>> = {
  'a visitor': async () => shop.client(),
  'the customer of the order': async () => buyer.client,
  'a revoked admin': () => revokedAdmin(shop),
}

const DECISIONS: [string, () => Record<string, unknown>][] = [
  ['record_refund', () => ({ payment_id: NOBODY, amount: 1, reason: 'Give it back' })],
  ['retry_refund', () => ({ refund_id: NOBODY })],
  ['settle_refund', () => ({ refund_id: NOBODY, outcome: 'done', note: 'It went back' })],
  ['withdraw_refund', () => ({ refund_id: NOBODY, reason: 'Recorded by mistake' })],
  ['withdraw_payment', () => ({ payment_id: NOBODY, reason: 'Recorded by mistake' })],
  ['accept_late_payment', () => ({ payment_id: NOBODY })],
  ['accept_short_payment', () => ({ payment_id: NOBODY })],
  ['request_top_up', () => ({ payment_id: NOBODY })],
  ['dismiss_refund_task', () => ({ task_id: NOBODY, reason: 'Nothing to see' })],
  ['preview_cancellation', () => ({ order_ids: [NOBODY] })],
  ['preview_product_removal', () => ({ product_id: NOBODY })],
  ['returnable_items', () => ({ order_id: NOBODY })],
  ['record_missed_payment', () => ({ issue_id: NOBODY })],
  ['resolve_payment_issue', () => ({ issue_id: NOBODY, note: 'Nothing to see' })],
  ['retry_mail', () => ({ mail_id: NOBODY })],
  ['delete_failed_mail', () => ({ mail_id: NOBODY })],
  ['resend_mail', () => ({ mail_id: NOBODY })],
  ['change_delivery', () => ({ order_id: order.id, was: {}, delivery: { shipping_city: 'Elsewhere' } })],
  ['count_attention', () => ({})],
]

/** Tables with at least one row; the matrix in docs/access.md covers the others. */
const RECORDS = ['payment_attempts', 'mails', 'order_events', 'order_notes', 'contact_submissions']

it.each(RECORDS)('lets an admin read the table %s', async (table) => {
  const { data } = await admin.client.from(table).select('*')

  expect(data?.length).toBeGreaterThan(0)
})

describe.each(Object.entries(PEOPLE))('%s', (_person, signIn) => {
  it.each(DECISIONS)('does not let non-admins call the money function %s', async (name, given) => {
    const { error } = await (await signIn()).rpc(name, given())

    expect(error?.code).toBe('42501')
  })

  it.each(RECORDS)('does not let non-admins read the table %s', async (table) => {
    const { data } = await (await signIn()).from(table).select('*')

    expect(data ?? []).toEqual([])
  })

  // covers A11
  it('does not let non-admins add a note or close a message', async () => {
    const client = await signIn()

    const note = await client.from('order_notes').insert({ order_id: order.id, body: 'Free of charge' })
    const done = await client.from('contact_answers').insert({ submission_id: NOBODY })

    expect([note.error?.code, done.error?.code]).toEqual(['42501', '42501'])
  })

  it('does not let non-admins send mails in the shop’s name', async () => {
    const { error } = await (
      await signIn()
    ).functions.invoke('send-admin-email', {
      body: { to: buyer.email, subject: 'Your lure', message: 'Pay here', orderId: order.id },
    })

    expect(error).not.toBeNull()
  })
})

it('counts, paginates and filters an admin’s search for orders and customers', async () => {
  const { data, count, error } = await admin.client
    .rpc('search_orders', { term: 'MOKOENA' }, { get: true, count: 'exact' })
    .select('order_number, profiles(email)')
    .in('status', ['new', 'pending'])
    .order('created_at', { ascending: false })
    .range(0, 49)

  expect(error).toBeNull()
  expect(count).toBe(1)
  expect(data).toEqual([{ order_number: order.order_number, profiles: { email: buyer.email } }])
})

it('lists a staff mail about an order among that order’s mails', async () => {
  const { error } = await admin.client.functions.invoke('send-admin-email', {
    body: { to: buyer.email, subject: 'Your lure', message: 'It is drying.', orderId: order.id },
  })

  const { data } = await admin.client
    .from('mails')
    .select('recipient, template')
    .eq('props->>orderId', order.id)
    .eq('template', 'admin-email')
  expect(error).toBeNull()
  expect(data).toEqual([{ recipient: buyer.email, template: 'admin-email' }])
})

it('lets an admin mail senders of the contact form, but no other addresses without an account', async () => {
  expect((await answer(LERATO)).error).toBeNull()
  expect((await answer('stranger@example.com')).error).not.toBeNull()
})

// covers A15 A33
it('returns the first editor’s saved version to a second editor', async () => {
  const other = await shop.admin()
  const was = { shipping_city: 'Durban' }
  await admin.client.rpc('change_delivery', {
    order_id: order.id,
    was,
    delivery: { shipping_city: 'Umhlanga' },
  })

  const { error } = await other.client.rpc('change_delivery', {
    order_id: order.id,
    was,
    delivery: { shipping_city: 'Ballito' },
  })

  expect(error).toMatchObject({ code: 'PT409', details: 'delivery_changed' })
  expect(JSON.parse(error?.hint ?? '{}')).toMatchObject({ shipping_city: 'Umhlanga' })
})

function answer(to: string) {
  return admin.client.functions.invoke('send-admin-email', {
    body: { to, subject: 'Re: Hooks', message: 'Trebles.' },
  })
}
