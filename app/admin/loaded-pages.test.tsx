import type { SupabaseClient } from '@supabase/supabase-js'
import type { ReactElement } from 'react'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RefundTask, StaffOrder } from '#domain/order.ts'
import { browser } from '#test/browser-backend.ts'
import { loadedHtml, loadedText } from '#test/loaded-page.tsx'
import { aPaymentIssue } from '#test/payment-issue.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder } from '#test/shopping.ts'
import { aStaffOrder } from '#test/staff-order.ts'
import { copyOrder, overwriteOrder, paidStaffOrder, readStaffOrder } from '#test/stored-orders.ts'
import { ClientConsent } from './clients/page/client-consent.tsx'
import { ClientOrders } from './clients/page/client-orders.tsx'
import { loadPage } from './list/load-rows.ts'
import { readView } from './list/list.ts'
import { FailedMails } from './needs-attention/failed-mails.tsx'
import { IssueCard } from './needs-attention/issue-card.tsx'
import type { PaymentIssue } from './needs-attention/payment-issue.ts'
import Messages from './messages/route.tsx'
import { OrderDetails } from './orders/order-details.tsx'
import { OrderItems } from './orders/order-items.tsx'
import { ORDERS } from './orders/order-list.ts'
import { OrderShipping } from './orders/order-shipping.tsx'
import { PaymentRecordSection } from './orders/payment/payment-record-section.tsx'
import { RefundDialog } from './orders/payment/refund-dialog.tsx'
import { RefundDueActions } from './orders/payment/refund-due-actions.tsx'
import { ReturnFields } from './orders/payment/return-fields.tsx'
import CreateOrder from './orders/manual-order/route.tsx'
import { TimelineSection } from './orders/timeline/timeline-section.tsx'
import PrintPage from './print/route.tsx'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
/** Two paid orders of two customers. */
let first: StaffOrder
let second: StaffOrder
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  browser.client = admin.client
  first = await paidStaffOrder(shop, admin.client)
  second = await paidStaffOrder(shop, admin.client)
  await sql(
    `insert into public.order_notes (order_id, body, author_id) values ($1, 'Wrap it twice', $3), ($2, 'Add a sticker', $3)`,
    [first.id, second.id, admin.userId],
  )
  await sql(
    `insert into public.payments (order_id, amount_gross, outcome, way, reference, recorded_by)
     values ($1, 600, 'paid', 'eft', 'First EFT', gen_random_uuid()), ($2, 600, 'paid', 'cash', 'Second cash', gen_random_uuid())`,
    [first.id, second.id],
  )
})
afterAll(() => shop.close())

const sql = (text: string, values: unknown[] = []) => shop.database.owner.query(text, values)
const viewOf = (address: string) => readView(ORDERS, new URLSearchParams(address))

it('shows on the timeline of an order only its own changes, notes and mails', async () => {
  const text = await loadedText(<TimelineSection orderId={first.id} />)

  expect(text).toContain('Wrap it twice')
  expect(text).not.toContain('Add a sticker')
  expect(text.match(/Order placed/g)).toHaveLength(1)
  expect(text.match(/Order confirmation/g)).toHaveLength(1)
})

it('shows in the payment record of an order only its own payments and refunds', async () => {
  await admin.client
    .rpc('record_refund', { payment_id: await paymentOf(second), amount: 40, reason: 'Chipped paint' })
    .throwOnError()

  const text = await loadedText(<PaymentRecordSection order={first} />)

  expect(text).toContain('First EFT')
  expect(text).not.toContain('Second cash')
  expect(text).not.toContain('Chipped paint')
  expect(text).not.toContain('Record payment')
  expect(await loadedText(<PaymentRecordSection order={second} />)).toContain('Chipped paint')
})

it('offers to withdraw a refund that PayFast refused', async () => {
  const order = await paidStaffOrder(shop, admin.client)
  await sql(
    `with paid as (
       insert into public.payments (order_id, amount_gross, outcome, way, reference, recorded_by)
       values ($1, 600, 'paid', 'eft', 'EFT', gen_random_uuid()) returning id, order_id
     ), refund as (
       insert into public.payment_refunds (payment_id, order_id, amount, reason, restocked, way, recorded_by)
       select id, order_id, 40, 'Bent hook', false, 'payfast', gen_random_uuid() from paid returning id
     )
     insert into public.payment_refund_events (refund_id, state) select id, 'failed' from refund`,
    [order.id],
  )

  expect(await loadedText(<PaymentRecordSection order={order} />)).toContain('Withdraw refund')
})

async function paymentOf(order: StaffOrder): Promise<string> {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select id from public.payments where order_id = $1',
    [order.id],
  )
  return rows[0]?.id ?? ''
}

it('offers to record the payment of an unpaid order, unless it holds an EFT for lures that were already sold', async () => {
  const unpaid = await readStaffOrder(admin.client, (await placeOrder(await shop.signUp())).id)
  expect(await loadedText(<PaymentRecordSection order={unpaid} />)).toContain('Record payment')
  await sql(
    `insert into public.payments (order_id, amount_gross, outcome, way, recorded_by)
     values ($1, 600, 'sold_out', 'eft', gen_random_uuid())`,
    [unpaid.id],
  )

  const record = await loadedText(<PaymentRecordSection order={unpaid} />)

  expect(record).toContain('The lures were already sold, so this payment did not pay for the order.')
  expect(record).not.toContain('Record payment')
})

/** Puts what an order took back in stock, for the other tests of this file. */
const returnLures = (orderId: string) =>
  sql(
    `update public.product_variants v set stock_quantity = v.stock_quantity + i.quantity
     from public.order_items i where i.order_id = $1 and v.id = i.variant_id`,
    [orderId],
  )

it('offers to record the rest of a short payment, and another payment of an order that is paid', async () => {
  const { id } = await placeOrder(await shop.signUp())
  const section = async () =>
    loadedText(<PaymentRecordSection order={await readStaffOrder(admin.client, id)} />)
  const { totalCents } = await readStaffOrder(admin.client, id)

  await admin.client.rpc('record_payment', { order_id: id, way: 'eft', amount: 100 }).throwOnError()
  const short = await section()
  expect(short).toContain('Record the rest')
  expect(short).toContain('This is less than the order costs, so it did not pay for the order.')

  await admin.client
    .rpc('record_payment', { order_id: id, way: 'cash', amount: totalCents / 100 - 100 })
    .throwOnError()
  expect(await section()).toContain('Record another payment')
  await returnLures(id)
})

it('offers to withdraw an EFT until its order is shipped, and shows it as withdrawn afterwards', async () => {
  const { id } = await placeOrder(await shop.signUp())
  const section = async () =>
    loadedText(<PaymentRecordSection order={await readStaffOrder(admin.client, id)} />)
  const record = () => admin.client.rpc('record_payment', { order_id: id, way: 'eft' }).throwOnError()
  await record()
  expect(await section()).toContain('Withdraw payment')
  const order = await readStaffOrder(admin.client, id)

  await admin.client
    .rpc('withdraw_payment', { payment_id: await paymentOf(order), reason: 'It was for Johan' })
    .throwOnError()

  const withdrawn = await section()
  expect(withdrawn).toContain('Recorded by mistake and withdrawn: It was for Johan')
  expect(withdrawn).not.toContain('Withdraw payment')
  await record()
  await sql(`update public.orders set status = 'shipped' where id = $1`, [id])
  expect(await section()).not.toContain('Withdraw payment')
  await returnLures(id)
})

it('offers to withdraw the EFT of a shipped order that another payment has paid as well', async () => {
  const { id } = await placeOrder(await shop.signUp())
  const { totalCents } = await readStaffOrder(admin.client, id)
  for (const way of ['eft', 'cash'])
    await admin.client.rpc('record_payment', { order_id: id, way, amount: totalCents / 100 }).throwOnError()
  await sql(`update public.orders set status = 'shipped' where id = $1`, [id])

  const section = await loadedText(<PaymentRecordSection order={await readStaffOrder(admin.client, id)} />)

  expect(section.match(/Withdraw payment/g)).toHaveLength(2)
  await returnLures(id)
})

it('records no payment of an order whose payment record could not be loaded, because it may hold money', async () => {
  const unpaid = await readStaffOrder(admin.client, (await placeOrder(await shop.signUp())).id)
  const text = () => loadedText(<PaymentRecordSection order={unpaid} />, { mayFail: true })

  expect(await without('payment_balances', text)).not.toContain('Record payment')
})

it('tells staff that an order without an account waits for its EFT, not for PayFast', async () => {
  const waiting = aStaffOrder({
    id: crypto.randomUUID(),
    status: 'pending_payment',
    paid_at: null,
    customer_id: null,
  })

  expect(await loadedText(<PaymentRecordSection order={waiting} />)).toContain('No payment is recorded yet.')
  expect(await loadedText(<OrderShipping order={waiting} />)).toContain(
    'You can ship this order once it is paid.',
  )
})

it('offers to record the payment of an order that was cancelled before it arrived', async () => {
  const { id } = await placeOrder(await shop.signUp())
  await admin.client.from('orders').update({ status: 'cancelled' }).eq('id', id).throwOnError()

  expect(await loadedText(<PaymentRecordSection order={await readStaffOrder(admin.client, id)} />)).toContain(
    'Record payment',
  )
})

const issueText = (change: Partial<PaymentIssue>) =>
  loadedText(
    <IssueCard
      issue={aPaymentIssue({ kind: 'paid_twice', ...change })}
      order={null}
      onDecide={() => undefined}
    />,
  )

it('offers to accept only a payment whose lures were sold out, and to retry only a refund that failed', async () => {
  const payment_id = await paymentOf(first)
  const refund_id = crypto.randomUUID()

  expect(await issueText({ kind: 'sold_out', payment_id })).toContain('Accept payment')
  expect(await issueText({ kind: 'paid_twice', payment_id })).not.toContain('Accept payment')
  expect(await issueText({ kind: 'refund_failed', refund_id })).toContain('Retry refund')
  expect(await issueText({ kind: 'refund_unknown', refund_id })).not.toContain('Retry refund')
})

it('offers to record a payment whose notice is missing, unless it belongs to no order', async () => {
  const missed = { kind: 'missed_notice', detail: { amount: 600, pf_payment_id: '7' } } as const

  expect(await issueText({ ...missed, order_id: first.id })).toContain('Record this payment')
  expect(await issueText(missed)).not.toContain('Record this payment')
})

it('prints invoices in the order of the address, each with its own payments and refunds', async () => {
  const text = await loadedText(<PrintPage />, {
    path: '/admin/print/:document',
    address: `/admin/print/invoices?orders=${second.id},no-id,${first.id}`,
  })
  const [, secondInvoice = '', firstInvoice = ''] = text.split('\nInvoice\n')

  expect(secondInvoice).toContain(`#${second.number}`)
  expect(secondInvoice).toContain('Paid in cash')
  expect(secondInvoice).toContain('Refunded')
  expect(firstInvoice).toContain(`#${first.number}`)
  expect(firstInvoice).toContain('Paid by EFT')
  expect(firstInvoice).not.toContain('Paid in cash')
  expect(firstInvoice).not.toContain('Refunded')
})

it('names a renamed colour as it is called now, on the packing slip and in the lines of an order', async () => {
  const rename = (name: string) =>
    sql(
      `update public.product_variants v set name = $2 from public.order_items i where i.order_id = $1 and v.id = i.variant_id`,
      [first.id, name],
    )
  await rename('Midnight Squid')

  const slip = await loadedText(<PrintPage />, {
    path: '/admin/print/:document',
    address: `/admin/print/packing-slips?orders=${first.id}`,
  })
  const lines = await loadedText(<OrderItems orderId={first.id} />)
  await rename('Blue Reaper')

  expect(slip.replaceAll('\n', ' ')).toContain('Blue Reaper now: Midnight Squid')
  expect(lines.replaceAll('\n', ' ')).toContain('Blue Reaper now: Midnight Squid')
  expect(await loadedText(<OrderItems orderId={first.id} />)).not.toContain('now:')
})

it('prints packing slips of paid orders only, and counts the orders that it leaves out', async () => {
  const unpaid = await placeOrder(await shop.signUp())
  const cancelled = await paidStaffOrder(shop, admin.client)
  await admin.client.from('orders').update({ status: 'cancelled' }).eq('id', cancelled.id).throwOnError()

  const text = await loadedText(<PrintPage />, {
    path: '/admin/print/:document',
    address: `/admin/print/packing-slips?orders=${unpaid.id},${first.id},${cancelled.id}`,
  })

  expect(text.split('\nPacking slip\n')).toHaveLength(2)
  expect(text).toContain(`#${first.number}`)
  expect(text).toContain('Left out because unpaid or cancelled: 2 orders.')
})

it('offers to refund a cancelled order only what was not refunded yet', async () => {
  await admin.client.from('orders').update({ status: 'cancelled' }).eq('id', second.id).throwOnError()

  expect(await loadedText(<RefundDueActions task={await aRefundTask()} order={second} />)).toContain(
    'Refund R560.00',
  )
})

it('promises no e-mail about the refund of a payment without an order', async () => {
  const { data: balance } = await admin.client
    .from('payment_balances')
    .select('*')
    .eq('payment_id', await paymentOf(second))
    .single()
    .throwOnError()
  const dialog = (order: StaffOrder | null) =>
    loadedText(<RefundDialog balance={balance} order={order} onClose={() => undefined} />)

  expect(await dialog(second)).toContain('Shown to the customer in the e-mail.')
  expect(await dialog(null)).toContain('No e-mail is sent.')
  expect(await dialog(null)).not.toMatch(/e-mails the customer|in the e-mail/)
})

it('offers to put back in stock at most what was ordered and not returned yet', async () => {
  const fields = () => loadedHtml(<ReturnFields order={first} returns={{}} onChange={() => undefined} />)
  expect(await fields()).toMatch(/<option value="1">/)
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select id from public.order_items where order_id = $1',
    [first.id],
  )

  await admin.client
    .rpc('record_refund', {
      payment_id: await paymentOf(first),
      amount: 100,
      reason: 'Sent back',
      returned: [{ order_item_id: rows[0]?.id, quantity: 1 }],
    })
    .throwOnError()

  expect(await fields()).not.toContain('<option')
})

it('calls lures of a refund taken off their order, because PayFast may refuse the refund', async () => {
  const order = await paidStaffOrder(shop, admin.client)
  await sql('update public.order_items set returned_quantity = 1 where order_id = $1', [order.id])

  const text = await loadedText(<OrderItems orderId={order.id} />)

  expect(text).toContain('1 taken off')
  expect(text).not.toContain('refunded')
})

it('explains what a refund does to lures that must be made only for an order with such lures', async () => {
  const order = await paidStaffOrder(shop, admin.client)
  const fields = () => loadedText(<ReturnFields order={order} returns={{}} onChange={() => undefined} />)
  const toMake = 'Lures that must still be made come off first and change no stock.'
  expect(await fields()).toContain('This order has not shipped yet.')
  expect(await fields()).not.toContain(toMake)

  await sql('update public.order_items set quantity = quantity + 1 where order_id = $1', [order.id])

  expect(await fields()).toContain(toMake)
})

const refundOf = (status: StaffOrder['status']) =>
  loadedText(<ReturnFields order={{ ...first, status }} returns={{}} onChange={nothing} />, { mayFail: true })

it('does not warn about lures that must be made when a shipped order is refunded', async () => {
  expect(await without('stock_movements', () => refundOf('new'))).toContain('must still be made')
  expect(await without('stock_movements', () => refundOf('shipped'))).not.toContain('must still be made')
})

it('offers for shipping no archived courier, and no form for an order that is not paid', async () => {
  await sql(
    `insert into public.courier_companies (name, is_archived) values ('Kite Couriers', false), ('Bankrupt Couriers', true)`,
  )
  const unpaid = await readStaffOrder(admin.client, (await placeOrder(await shop.signUp())).id)

  const form = await loadedText(<OrderShipping order={first} />)

  expect(form).toContain('Kite Couriers')
  expect(form).not.toContain('Bankrupt Couriers')
  expect(form).toContain('Create New Courier')
  expect(await loadedText(<OrderShipping order={first} />, { role: 'packer' })).not.toContain(
    'Create New Courier',
  )
  expect(await loadedText(<OrderShipping order={unpaid} />)).not.toContain('Courier Company')
})

const shippingWithoutCouriers = (status: StaffOrder['status']) =>
  without('courier_companies', () =>
    loadedText(<OrderShipping order={{ ...first, status, trackingNumber: 'TCG-204' }} />, { mayFail: true }),
  )

it('shows the tracking number and adds no courier while the couriers cannot be loaded', async () => {
  expect(await shippingWithoutCouriers('new')).not.toContain('Create New Courier')
  expect(await shippingWithoutCouriers('cancelled')).toContain('TCG-204')
})

it('tells a packer whose parcel is lost to ask an admin, who alone adjusts the stock and refunds', async () => {
  const shipped = aStaffOrder({ id: first.id, status: 'shipped' })

  const forPacker = await loadedText(<OrderShipping order={shipped} />, { role: 'packer' })

  expect(forPacker).toContain('Ask an admin to record the lures of the second parcel as “Damaged or lost”')
  expect(forPacker).not.toContain('Payment record')
  expect(await loadedText(<OrderShipping order={shipped} />)).toContain(
    'Then record the lures of the second parcel as “Damaged or lost” in the stock.',
  )
})

const shippingForm = (status: StaffOrder['status']) =>
  loadedText(<OrderShipping order={{ ...first, status }} />)

it('offers only to correct the tracking number of a delivered order, without an e-mail', async () => {
  expect(await shippingForm('delivered')).toContain('The order stays delivered')
  expect(await shippingForm('delivered')).not.toMatch(/Preview e-mail|Ship Order/)
  expect(await shippingForm('processing')).toMatch(/Preview e-mail[^]*Update Tracking &amp; Ship Order/)
})

it('lists the mails that failed, and no queued ones', async () => {
  await sql(
    `insert into public.mails (key, template, recipient, props, subject, status, last_error, attempts)
     values ('f', 'order-confirmation', 'failed@example.com', '{}', 'Failed mail', 'failed', '550 no such user', 3),
            ('s', 'order-confirmation', 'queued@example.com', '{}', 'Queued mail', 'queued', null, 1)`,
  )

  const text = await loadedText(<FailedMails />)

  expect(text).toContain('550 no such user')
  expect(text).not.toContain('Queued mail')
})

it('shows the consents of a client’s address, in any spelling, and of no other address', async () => {
  const [client, other] = [await shop.signUp('Lerato@Example.com'), await shop.signUp()]
  await sql(
    `insert into public.marketing_consents (email, is_given, source, wording)
     values ('lerato@example.com', true, 'footer', 'Yes, mail me news.'), (lower($1), true, 'footer', 'Another reader’s')`,
    [other.email],
  )
  const { data } = await admin.client.rpc('get_client', { client_id: client.userId }).throwOnError()

  const text = await loadedText(<ClientConsent client={data} />)

  expect(text).toContain('Yes, mail me news.')
  expect(text).not.toContain('Another reader’s')
})

it('shows on a client’s page what was refunded of an order and what is still to be refunded', async () => {
  const client = await shop.signUp()
  const { id } = await placeOrder(client)
  await sql('select private.mark_order_paid($1, now())', [id])
  await sql(
    `insert into public.payments (order_id, amount_gross, outcome, way, recorded_by)
     values ($1, 600, 'paid', 'eft', gen_random_uuid())`,
    [id],
  )
  const order = await readStaffOrder(admin.client, id)
  await admin.client
    .rpc('record_refund', { payment_id: await paymentOf(order), amount: 40, reason: 'Chipped paint' })
    .throwOnError()
  await admin.client.from('orders').update({ status: 'cancelled' }).eq('id', id).throwOnError()
  const { data } = await admin.client.rpc('get_client', { client_id: client.userId }).throwOnError()

  const text = await loadedText(<ClientOrders client={data} />)

  expect(text).toContain('R560.00 to refund\nR40.00 refunded')
  expect(text).not.toContain('\nPaid\n')
})

const nothing = () => undefined

/** Returns what `work` does while no query can read the table. */
async function without<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  await sql(`revoke select on public.${table} from authenticated`)
  try {
    return await work()
  } finally {
    await sql(`grant select on public.${table} to authenticated`)
  }
}

describe('what could not be loaded is not shown as none', () => {
  interface Unloaded {
    what: string
    table: string
    element: () => Promise<ReactElement>
    warning: string
  }
  const NO_MONEY = 'Refunds and payment issues could not be loaded, so none are shown.'

  it.each<Unloaded>([
    {
      what: 'refunds and issues of an order',
      table: 'open_payment_issues',
      element: async () => <OrderDetails order={first} onDeleted={nothing} />,
      warning: NO_MONEY,
    },
    {
      what: 'refunds and issues of a client’s orders',
      table: 'payment_balances',
      element: aClientsOrders,
      warning: NO_MONEY,
    },
    {
      what: 'the payments of a refund that is due',
      table: 'payment_balances',
      element: async () => <RefundDueActions task={await aRefundTask()} order={second} />,
      warning: 'The payments to refund could not be loaded.',
    },
    {
      what: 'the stock that an order took',
      table: 'stock_movements',
      element: async () => <ReturnFields order={first} returns={{}} onChange={nothing} />,
      warning: 'Which of the lures must still be made could not be loaded',
    },
    {
      what: 'the payment link for the rest of a short payment',
      table: 'payment_top_ups',
      element: async () => aShortPayment(),
      warning: 'Whether a payment link was sent could not be loaded.',
    },
    {
      what: 'couriers',
      table: 'courier_companies',
      element: async () => <OrderShipping order={first} />,
      warning: 'The couriers could not be loaded, so none can be chosen.',
    },
    {
      what: 'answers to messages',
      table: 'message_replies',
      element: async () => <Messages />,
      warning: 'Answers could not be loaded, so none are shown.',
    },
  ])('warns that $what could not be loaded', async ({ table, element, warning }) => {
    await sendMessage()
    const page = await element()
    const text = () => loadedText(page, { mayFail: true })
    expect(await text()).not.toContain(warning)

    expect(await without(table, text)).toContain(warning)
  })
})

async function aClientsOrders(): Promise<ReactElement> {
  const client = await shop.signUp()
  await placeOrder(client)
  const { data } = await admin.client.rpc('get_client', { client_id: client.userId }).throwOnError()
  return <ClientOrders client={data} />
}

async function aRefundTask(): Promise<RefundTask> {
  const task = (await readStaffOrder(admin.client, second.id)).refundTask
  if (!task) throw new Error('the cancelled order has no refund due')
  return task
}

function sendMessage() {
  return shop
    .client()
    .from('contact_submissions')
    .insert({ name: 'Thandi', email: 'thandi@example.com', subject: 'Blue', message: 'Which blue is it?' })
    .throwOnError()
}

const aShortPayment = () => (
  <IssueCard
    issue={aPaymentIssue({
      payment_id: crypto.randomUUID(),
      amount_gross: 580,
      detail: { order_total: 600 },
    })}
    order={aStaffOrder({ status: 'pending_payment', paid_at: null })}
    onDecide={nothing}
  />
)

async function acceptButton(): Promise<string | undefined> {
  const html = await loadedHtml(aShortPayment(), { mayFail: true })
  return /<button[^>]*>Accept as it is</.exec(html)?.[0]
}

it('accepts no short payment until it is known whether its customer was asked to pay the rest', async () => {
  expect(await acceptButton()).not.toContain('disabled')
  expect(await without('payment_top_ups', acceptButton)).toContain('disabled')
})

it('offers no refund of an issue until its order has loaded: its dialog would promise that no e-mail is sent', async () => {
  const issue = aPaymentIssue({
    kind: 'missing_money',
    payment_id: await paymentOf(first),
    order_id: first.id,
  })
  const button = async (order: StaffOrder | undefined) => {
    const html = await loadedHtml(<IssueCard issue={issue} order={order} onDecide={nothing} />)
    return /<button[^>]*>Refund</.exec(html)?.[0]
  }

  expect(await button(first)).not.toContain('disabled')
  expect(await button(undefined)).toContain('disabled')
})

it('leads from a client’s page to all orders of the client, whatever their e-mail addresses', async () => {
  const client = await shop.signUp()
  const { id } = await placeOrder(client)
  await sql('select private.mark_order_paid($1, now())', [id])
  const stranger = await placeOrder(await shop.signUp())
  await copyOrder(shop, id, { count: 20, columns: { customer_email: 'from-work@example.com' } })
  await overwriteOrder(shop, stranger.id, `customer_email = '${client.email}'`)
  const { data } = await admin.client.rpc('get_client', { client_id: client.userId }).throwOnError()

  const html = await loadedHtml(<ClientOrders client={data} />)
  const [, address = ''] = /href="\/admin\/orders(\?[^"]+)"[^>]*>All 21</.exec(html) ?? []
  const { rows } = await loadPage(ORDERS, viewOf(address.replaceAll('&amp;', '&')))

  expect(rows).toHaveLength(21)
  expect(new Set(rows.map(({ customer_id }) => customer_id))).toEqual(new Set([client.userId]))
})

it('tells staff for how long an order that is not paid yet reserves its lures', async () => {
  const unpaid = await placeOrder(await shop.signUp())

  const [replacing, paying] = await Promise.all(
    [`?replaces=${unpaid.id}`, ''].map((search) =>
      loadedText(<CreateOrder />, { address: `/admin/orders/new${search}` }),
    ),
  )

  await sql('update public.orders set customer_id = null where id = $1', [unpaid.id])
  const ofStaff = await loadedText(<CreateOrder />, { address: `/admin/orders/new?replaces=${unpaid.id}` })

  expect(replacing).toContain('reserved for 30 minutes')
  expect(ofStaff).toContain('reserved for 7 days')
  expect(paying).not.toContain('reserved for')
})

it('offers the lures that the replaced order has reserved', async () => {
  const unpaid = await placeOrder(await shop.signUp())
  const addStock = `update public.product_variants v set stock_quantity = v.stock_quantity + $2
    from public.stock_reservations h where h.order_id = $1 and v.id = h.variant_id`
  const { rows } = await sql(
    `select a.available from public.product_availability a
     join public.stock_reservations h on h.variant_id = a.variant_id where h.order_id = $1`,
    [unpaid.id],
  )
  const others = Number(rows[0].available)
  await sql(addStock, [unpaid.id, -others])

  const form = await loadedText(<CreateOrder />, { address: `/admin/orders/new?replaces=${unpaid.id}` })
  await sql(addStock, [unpaid.id, others])
  await sql(`select private.cancel_order($1, 'shop')`, [unpaid.id])

  expect(form).toContain('1 left')
  expect(form).not.toContain('This colour is sold out.')
})

it('names the lures of a replaced order that are no longer for sale', async () => {
  const unpaid = await placeOrder(await shop.signUp())
  const setStatus = `update public.products p set status = $2
    from public.order_items i where i.order_id = $1 and p.id = i.product_id returning p.name`
  const form = () => loadedText(<CreateOrder />, { address: `/admin/orders/new?replaces=${unpaid.id}` })
  expect(await form()).not.toContain('No longer for sale')
  const hidden = await sql(setStatus, [unpaid.id, 'hidden'])

  const withoutLure = await form()
  await sql(setStatus, [unpaid.id, 'live'])
  await sql(`select private.cancel_order($1, 'shop')`, [unpaid.id])

  expect(withoutLure).toContain(`No longer for sale, so not in the new order: ${hidden.rows[0].name}`)
})

it('offers in an order that staff create only lures that are for sale', async () => {
  const { data: product } = await admin.client
    .from('products')
    .select('id, name')
    .eq('status', 'live')
    .order('position', { ascending: false })
    .limit(1)
    .single()
    .throwOnError()
  const unpaid = await placeOrder(await shop.signUp())
  const page = () => loadedHtml(<CreateOrder />, { address: `/admin/orders/new?replaces=${unpaid.id}` })
  expect(await page()).toContain(`<optgroup label="${product.name}"`)

  await admin.client.from('products').update({ status: 'hidden' }).eq('id', product.id).throwOnError()

  const html = await page()
  expect(html).not.toContain(`<optgroup label="${product.name}"`)
  expect(html).toContain('value="Thandi Mokoena"')
})

it('leads from a search without a match to all messages, also to those that are done', async () => {
  const html = await loadedHtml(<Messages />, {
    path: '/admin/messages',
    address: '/admin/messages?search=no-message-has-this',
  })

  expect(html).toContain('No message matches “no-message-has-this”.')
  expect(html).toMatch(/href="\/admin\/messages\?show=all"[^>]*>Show all messages/)
})
