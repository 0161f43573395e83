import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeStaffRole, grantStaffRole } from '#server/admins.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder, type Placed } from '#test/shopping.ts'

const NOBODYS = '00000000-0000-4000-8000-000000000000'
const PERIOD = { from_day: '2026-11-01', to_day: '2026-11-30', zone: 'Africa/Johannesburg' }

let shop: TestShop<SupabaseClient>
let packer: Person<SupabaseClient>
let admin: Person<SupabaseClient>
let buyer: Person<SupabaseClient>
let order: Placed
beforeAll(async () => {
  shop = await openShop()
  packer = await shop.packer()
  admin = await shop.admin()
  buyer = await shop.signUp()
  order = await placeOrder(buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [order.id])
  const message = {
    name: 'Lerato',
    email: 'lerato@example.com',
    subject: 'Hooks',
    message: 'Which hooks do you use?',
  }
  await shop.client().from('contact_submissions').insert(message)
  await shop.runJobs()
})
afterAll(() => shop.close())

// covers A37
describe('a packer’s function calls', () => {
  it.each<[name: string, given: object]>([
    ['accept_late_payment', { payment_id: NOBODYS }],
    ['adjust_stock', { variant_id: NOBODYS, reason: 'made', quantity: 1, note: '', key: NOBODYS }],
    ['duplicate_product', { product_id: NOBODYS }],
    ['erase_client', { client_id: NOBODYS }],
    ['export_client', { client_id: NOBODYS }],
    ['import_catalogue', { rows: [] }],
    ['grant_role', { email: 'nobody@example.com', role: 'admin' }],
    ['list_staff', {}],
    ['merge_clients', { kept_id: NOBODYS, merged_id: NOBODYS }],
    ['my_last_change', { table_name: 'orders', row_id: NOBODYS }],
    ['place_staff_order', { idempotency_key: NOBODYS, wanted: {} }],
    ['record_missed_payment', { issue_id: NOBODYS }],
    ['record_payment', { order_id: NOBODYS, way: 'cash' }],
    ['withdraw_payment', { payment_id: NOBODYS, reason: 'Recorded by mistake' }],
    ['accept_short_payment', { payment_id: NOBODYS }],
    ['request_top_up', { payment_id: NOBODYS }],
    ['dismiss_refund_task', { task_id: NOBODYS, reason: 'Nothing to see' }],
    ['preview_cancellation', { order_ids: [NOBODYS] }],
    ['preview_product_removal', { product_id: NOBODYS }],
    ['returnable_items', { order_id: NOBODYS }],
    ['record_refund', { payment_id: NOBODYS, amount: 1, reason: 'Give it back' }],
    ['resend_mail', { mail_id: NOBODYS }],
    ['delete_failed_mail', { mail_id: NOBODYS }],
    ['resolve_payment_issue', { issue_id: NOBODYS, note: 'Nothing to see' }],
    ['total_revenue', {}],
    ['sales_by_day', PERIOD],
    ['save_product', { product_id: NOBODYS, changes: {} }],
    ['set_low_stock_threshold', { at_most: 3 }],
    ['get_client', { client_id: NOBODYS }],
    ['revoke_role', { account: NOBODYS }],
    ['undo_change', { change_id: 1 }],
    ['email_buyers', { order_ids: [NOBODYS], subject: 'Holidays', message: 'At the coast.' }],
  ])('rejects a packer’s call of %s', async (name, parameters) => {
    const { error } = await packer.client.rpc(name, parameters)

    expect(error?.code).toBe('42501')
    expect((await admin.client.rpc(name, parameters)).error?.code).not.toBe('42501')
  })

  it.each([
    'check-setup',
    'show-settings',
    'show-system',
    'test-payfast',
    'send-test-alert',
    'send-test-mail',
  ])('rejects a packer’s call of the server function %s', async (name) => {
    const { error } = await packer.client.functions.invoke(name, { body: {} })

    expect(error?.context.status).toBe(403)
  })
})

// covers A37
describe('a packer’s rows', () => {
  it.each([
    'changes',
    'client_notes',
    'newsletter_signups',
    'payment_attempts',
    'payments',
    'promo_codes',
    'shop_settings',
    'stock_movements',
    'subscribers',
  ])('hides all rows of %s from a packer', async (table) => {
    const { data } = await packer.client.from(table).select('*')

    expect(data ?? []).toEqual([])
  })

  it('hides all profiles except the staff’s from a packer', async () => {
    const { data } = await packer.client.from('profiles').select('id')

    expect(data?.map(({ id }) => id).toSorted()).toEqual([admin.userId, packer.userId].toSorted())
  })

  it('hides mails that belong to no order from a packer', async () => {
    const { data } = await packer.client.from('mails').select('template, props->>orderId')

    expect(data?.length).toBeGreaterThan(0)
    expect(data?.every(({ orderId }) => orderId === order.id)).toBe(true)
  })
})

it.each(['send-admin-email', 'preview-own-mail'])(
  'lets a packer mail buyers by %s without revealing whether an address has an account',
  async (name) => {
    const registered = await shop.signUp()
    const write = (to: string) =>
      packer.client.functions.invoke(name, { body: { to, subject: 'Your lures', message: 'They are done.' } })
    const refusalOf = async (to: string) => {
      const { context } = (await write(to)).error
      return [context.status, await context.text()]
    }

    const unknown = await refusalOf('unknown@example.com')

    expect(unknown[0]).toBe(404)
    expect(await refusalOf(registered.email)).toEqual(unknown)
    const { data } = await packer.client.from('orders').select('customer_email').eq('id', order.id).single()
    expect((await write(data?.customer_email)).error).toBeNull()
  },
)

it('does not let a packer delete, cancel or grant roles', async () => {
  const orders = packer.client.from('orders')

  const deleted = await orders.delete().eq('id', order.id).select()
  const cancelled = await orders.update({ status: 'cancelled' }).eq('id', order.id)
  const many = await packer.client.rpc('set_order_statuses', { order_ids: [order.id], status: 'cancelled' })
  const promoted = await packer.client.from('user_roles').insert({ user_id: packer.userId, role: 'admin' })

  expect(deleted.data).toEqual([])
  expect([cancelled, many, promoted].map(({ error }) => error?.code)).toEqual(['42501', '42501', '42501'])
})

// covers A37
it('lets a packer process, annotate and ship an order, and names the packer in the history', async () => {
  const { client } = packer
  const { data: courier } = await client
    .from('courier_companies')
    .select('id')
    .eq('name', 'The Courier Guy')
    .single()
  const shipping = { status: 'shipped', tracking_number: 'TCG-1', courier_company_id: courier?.id }

  const found = await client.rpc('search_orders', { term: String(order.order_number) }, { get: true })
  const noted = await client.from('order_notes').insert({ order_id: order.id, body: 'Wrapped twice' })
  const begun = await client.rpc('set_order_statuses', { order_ids: [order.id], status: 'processing' })
  const shipped = await client.from('orders').update(shipping).eq('id', order.id).select('status')
  const mailed = await client.functions.invoke('send-order-status-update', {
    body: { orderId: order.id, status: 'shipped' },
  })

  expect([found.error, noted.error, begun.error, shipped.error, mailed.error]).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
  expect(found.data).toHaveLength(1)
  expect(shipped.data).toEqual([{ status: 'shipped' }])
  const { data: log } = await admin.client.from('changes').select('actor').eq('actor_id', packer.userId)
  expect(log?.length).toBeGreaterThan(0)
  expect(new Set(log?.map(({ actor }) => actor))).toEqual(new Set(['packer']))
})

it('lets a packer answer contact messages', async () => {
  const { data: message } = await packer.client.from('messages').select('id').eq('name', 'Lerato').single()

  const mailed = await packer.client.functions.invoke('send-admin-email', {
    body: { to: 'lerato@example.com', subject: 'Re: Hooks', message: 'Trebles.' },
  })
  const done = await packer.client.from('contact_answers').insert({ submission_id: message?.id })

  expect([mailed.error, done.error]).toEqual([null, null])
})

it('applies a granted or revoked role from the next request on', async () => {
  const person = await shop.signUp()
  const { client, email, userId } = person
  await shop.verifyMailbox(person)
  const waiting = async () => (await client.rpc('count_attention')).error?.code ?? 'let in'

  const given = await admin.client.rpc('grant_role', { email, role: 'packer' })
  expect([given.error, await waiting()]).toEqual([null, 'let in'])
  const taken = await admin.client.rpc('revoke_role', { account: userId })
  expect([taken.error, await waiting()]).toEqual([null, '42501'])
})

it('removes the admin role from a new packer, and all roles from a dismissed staff member', async () => {
  const { owner } = shop.database
  const person = await shop.admin()
  const { client, email } = person
  await shop.verifyMailbox(person)

  await grantStaffRole(owner, email, 'packer')
  expect((await client.rpc('total_revenue')).error?.code).toBe('42501')
  expect((await client.rpc('count_attention')).error).toBeNull()

  await revokeStaffRole(owner, email)
  expect((await client.rpc('count_attention')).error?.code).toBe('42501')
  expect((await client.from('orders').select('id')).data).toEqual([])
})
