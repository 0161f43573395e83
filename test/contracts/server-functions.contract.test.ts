import type { ShopClient } from '#database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { placeOrder, readOrder, type BuyerOrder } from '#test/buyer.ts'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'
import { uploadPhoto } from '#test/gallery-photo.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop
let payfast: FakePayfast
let customer: Person
let stranger: Person
let admin: Person

beforeAll(async () => {
  payfast = await fakePayfast()
  shop = await openShop({ payfast: payfast.account, publicUrl: 'https://shop.example' })
  await shop.database.owner.query('update public.product_variants set stock_quantity = 500')
  customer = await shop.signUp()
  stranger = await shop.signUp()
  admin = await shop.admin()
})
afterAll(async () => {
  await shop.close()
  await payfast.close()
})

describe('generate-payfast-payment', () => {
  it('returns PayFast’s URL and the signed fields of the payment form', async () => {
    const order = await placeOrder(shop.database, await aCustomer())

    const { data, error } = await pay(order, { client: admin.client })

    expect(error).toBeNull()
    expect(data.payfastUrl).toBe(payfast.account.processUrl)
    expect(data.paymentData).toMatchObject({
      merchant_id: '10000100',
      return_url: `https://shop.example/payment-success?order_id=${order.id}`,
      cancel_url: `https://shop.example/payment-cancelled?order_id=${order.id}`,
      notify_url: 'https://shop.example/payments/payfast/notice',
      name_first: 'Thandi',
      name_last: "O'Neill",
      cell_number: '0825550148',
      amount: '240.00',
      item_name: `Order ${String(order.order_number).padStart(5, '0')}`,
    })
    expect(data.paymentData.m_payment_id).toMatch(/^\d{5}-[0-9a-f]{12}$/)
    expect(data.paymentData.signature).toMatch(/^[0-9a-f]{32}$/)
  })

  it('accepts a payment amount as a number or as text', async () => {
    const buyer = await shop.signUp()
    const order = await placeOrder(shop.database, buyer)

    expect((await pay(order, { client: buyer.client, amount: 240 })).error).toBeNull()
    expect((await pay(order, { client: buyer.client, amount: '240.00' })).error).toBeNull()
  })

  it('gives each payment attempt its own id', async () => {
    const order = await placeOrder(shop.database, await aCustomer())

    const first = await pay(order, { client: admin.client })
    const second = await pay(order, { client: admin.client })

    expect(first.data.paymentData.m_payment_id).not.toBe(second.data.paymentData.m_payment_id)
  })

  it.each([
    ['lower', 1],
    ['one cent higher', 240.01],
    ['not a number', 'two hundred'],
    ['negative', -240],
  ])('starts no payment when the amount is %s', async (_, amount) => {
    const order = await placeOrder(shop.database, await aCustomer())

    const refusal = await refusalOf(pay(order, { client: admin.client, amount }))

    expect(refusal).toMatchObject({ status: 409, code: 'amount_differs' })
    expect(refusal.message).toContain('R240.00')
    // A part of the total may have been charged before.
    expect(refusal.message).not.toContain('charged')
    expect(await attemptsFor(order)).toBe(0)
  })

  it('returns the same 404 when a payment names another customer’s order or a missing order', async () => {
    const order = await placeOrder(shop.database, await aCustomer())
    const missing = { ...order, id: crypto.randomUUID() }

    const answers = await Promise.all([
      refusalOf(pay(order, { client: stranger.client })),
      refusalOf(pay(order, { client: shop.client() })),
      refusalOf(pay(missing, { client: stranger.client })),
    ])

    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 404, code: 'order_not_found' })
    expect(await attemptsFor(order)).toBe(0)
  })

  it.each(['paid', 'cancelled'])('refuses to start a payment for an order that is %s', async (state) => {
    const order = await placeOrder(shop.database, await aCustomer())
    if (state === 'paid') await markPaid(order)
    else await shop.database.owner.query('select private.cancel_order($1, $2)', [order.id, 'customer'])

    expect(await refusalOf(pay(order, { client: admin.client }))).toMatchObject({ code: 'order_not_payable' })
  })

  it('starts no payment for lures that are sold out since the reservation ended', async () => {
    const { owner } = shop.database
    const order = await placeOrder(shop.database, await aCustomer())
    await owner.query('update public.stock_reservations set expires_at = now() where order_id = $1', [
      order.id,
    ])
    await owner.query('update public.product_variants set stock_quantity = 0')

    const refusal = await refusalOf(pay(order, { client: admin.client }))
    await owner.query('update public.product_variants set stock_quantity = 500')

    expect(refusal).toMatchObject({ status: 409, code: 'sold_out' })
    expect(await attemptsFor(order)).toBe(0)
  })

  it.each([
    ['no order', { amount: 1 }],
    ['an invalid id', { orderId: '1 or 1=1', amount: 1 }],
    ['NUL bytes', { orderId: '\0', amount: 1 }],
    ['no amount', { orderId: crypto.randomUUID() }],
    ['a list', []],
    ['nothing', null],
  ])('rejects a payment request body with %s', async (_, body) => {
    const answer = await call('generate-payfast-payment', JSON.stringify(body))

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_input' })
  })

  it('rejects function calls with broken JSON, other methods or a huge body', async () => {
    expect((await call('generate-payfast-payment', '{"orderId":')).status).toBe(400)
    expect((await call('generate-payfast-payment', undefined, 'GET')).status).toBe(405)
    expect((await call('generate-payfast-payment', 'x'.repeat(50_000_000))).status).toBe(413)
  })
})

describe('update-order-status', () => {
  it('returns whether an order is paid without changing the order', async () => {
    const buyer = await shop.signUp()
    const order = await placeOrder(shop.database, buyer)

    const before = await invoke(buyer.client, 'update-order-status', { orderId: order.id })
    await markPaid(order)
    const after = await invoke(buyer.client, 'update-order-status', { orderId: order.id })

    expect(before.data).toEqual({ success: true, status: 'pending_payment', paid: false })
    expect(after.data).toEqual({ success: true, status: 'new', paid: true })
  })

  it('checks a waiting payment notice with PayFast at once', async () => {
    const buyer = await shop.signUp()
    const order = await placeOrder(shop.database, buyer)
    const { data } = await pay(order, { client: buyer.client })
    const { m_payment_id, amount: amount_gross } = data.paymentData
    payfast.behaviour = 'outage'
    await shop.fetch('/payments/payfast/notice', {
      method: 'POST',
      body: payfast.notice({ m_payment_id, amount_gross }),
    })
    await shop.runJobs()
    payfast.behaviour = 'valid'
    await shop.database.owner.query(
      `update graphile_worker._private_jobs set run_at = now() + interval '12 hours'`,
    )
    await shop.database.owner.query(
      'alter table public.payment_notice_checks disable trigger rows_are_never_changed',
    )
    await shop.database.owner.query(
      `update public.payment_notice_checks set checked_at = now() - interval '6 seconds'`,
    )
    await shop.database.owner.query(
      'alter table public.payment_notice_checks enable trigger rows_are_never_changed',
    )

    await invoke(buyer.client, 'update-order-status', { orderId: order.id })
    await shop.runJobs()

    expect((await readOrder(shop.database, order.id))?.status).toBe('new')
  })

  it('returns the same error for the status of another customer’s order and a missing order', async () => {
    const order = await placeOrder(shop.database, await aCustomer())

    const foreign = await refusalOf(invoke(stranger.client, 'update-order-status', { orderId: order.id }))
    const missing = await refusalOf(
      invoke(stranger.client, 'update-order-status', { orderId: crypto.randomUUID() }),
    )

    expect(foreign).toEqual(missing)
    expect(foreign.status).toBe(404)
  })
})

describe.each(['send-order-confirmation', 'send-order-notification'])('%s', (name) => {
  // covers A4.6 A7.14
  it('sends each order mail once, with text from the database', async () => {
    const buyer = await shop.signUp()
    const order = await placeOrder(shop.database, buyer)
    await markPaid(order)

    for (let copy = 0; copy < 3; copy++) {
      const { data, error } = await invoke(buyer.client, name, specifiedInput(order))
      expect(error).toBeNull()
      expect(data).toEqual({ success: true })
    }
    await shop.runJobs()

    const mails = await mailsOf(order)
    expect(mails.map(({ template }) => template)).toEqual(['order-confirmation', 'order-notification'])
    for (const mail of mails) {
      expect(mail.text).not.toContain('Free lures')
      expect(mail.sent_to).not.toBe('victim@example.com')
    }
  })

  it('sends no confirmation mails for an unpaid order', async () => {
    const buyer = await shop.signUp()
    const order = await placeOrder(shop.database, buyer)

    const refusal = await refusalOf(invoke(buyer.client, name, specifiedInput(order)))

    expect(refusal).toMatchObject({ status: 409, code: 'order_not_paid' })
    expect(await mailsOf(order)).toEqual([])
  })

  it('returns 404 when a customer requests mails for another customer’s order', async () => {
    const order = await placeOrder(shop.database, await aCustomer())
    await markPaid(order)

    expect((await refusalOf(invoke(stranger.client, name, specifiedInput(order)))).status).toBe(404)
  })
})

describe('send-order-status-update', () => {
  // covers A4.7
  it('mails the customer each new order status once, with the tracking number', async () => {
    const order = await placeOrder(shop.database, customer)
    await markPaid(order)
    const { data: courier } = await admin.client
      .from('courier_companies')
      .select()
      .eq('name', 'The Courier Guy')
      .single()
      .throwOnError()
    await admin.client
      .from('orders')
      .update({ status: 'shipped', tracking_number: 'TCG-1', courier_company_id: courier.id })
      .eq('id', order.id)

    const input = {
      orderId: order.id,
      status: 'shipped',
      customerEmail: 'victim@example.com',
      trackingNumber: 'X',
    }
    for (let copy = 0; copy < 2; copy++) {
      expect((await invoke(admin.client, 'send-order-status-update', input)).error).toBeNull()
    }
    await shop.runJobs()

    const [mail, ...others] = (await mailsOf(order)).filter(
      ({ template }) => template === 'order-status-update',
    )
    expect(others).toEqual([])
    expect(mail?.sent_to).toBe(customer.email)
    expect(mail?.text).toContain('TCG-1')
    expect(mail?.text).toContain(courier.name)
    expect(mail?.text).toContain('https://portal.thecourierguy.co.za/track?ref=TCG-1')
  })

  it('sends no status mail about an unpaid order', async () => {
    const order = await placeOrder(shop.database, await aCustomer())

    expect(
      await refusalOf(invoke(admin.client, 'send-order-status-update', { orderId: order.id })),
    ).toMatchObject({ status: 409, code: 'order_not_paid' })
  })

  // covers A7.12
  it('sends status mails only for staff and only for the current order status', async () => {
    const order = await placeOrder(shop.database, await aCustomer())
    await markPaid(order)
    const input = { orderId: order.id, status: 'delivered' }

    expect((await refusalOf(invoke(customer.client, 'send-order-status-update', input))).status).toBe(403)
    expect(await refusalOf(invoke(admin.client, 'send-order-status-update', input))).toMatchObject({
      code: 'status_differs',
    })
  })
})

describe('send-admin-email', () => {
  const mailText = { subject: 'Your lures', message: 'They are ready.' }

  it('mails the same text to a client once a day, and reports that the second call sends nothing', async () => {
    const mail = { to: customer.email, ...mailText }

    const first = await invoke(admin.client, 'send-admin-email', mail)
    const second = await invoke(admin.client, 'send-admin-email', mail)

    expect(first).toMatchObject({ error: null, data: { success: true, isDuplicate: false } })
    expect(second).toMatchObject({ error: null, data: { success: true, isDuplicate: true } })
    const mails = await staffMailsTo(customer.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('They are ready.')
  })

  it('mails the same text about each order of a client', async () => {
    const buyer = await aCustomer()
    const first = await placeOrder(shop.database, buyer)
    await markPaid(first)
    const orders = [first, await placeOrder(shop.database, buyer)]

    for (const { id } of orders) {
      const { data } = await invoke(admin.client, 'send-admin-email', {
        to: buyer.email,
        orderId: id,
        ...mailText,
      })
      expect(data).toMatchObject({ isDuplicate: false })
    }

    expect((await staffMailsTo(buyer.email)).map(({ props }) => props.orderId)).toEqual(
      orders.map(({ id }) => id),
    )
  })

  // covers A7.13
  it('rejects staff mails to unknown recipients or from callers who are not staff', async () => {
    const toStranger = { to: 'victim@example.com', ...mailText }
    const toClient = { to: customer.email, ...mailText }

    expect((await refusalOf(invoke(admin.client, 'send-admin-email', toStranger))).code).toBe(
      'client_not_found',
    )
    expect((await refusalOf(invoke(customer.client, 'send-admin-email', toClient))).status).toBe(403)
    expect((await refusalOf(invoke(shop.client(), 'send-admin-email', toClient))).status).toBe(403)
  })

  it('rejects a staff mail whose subject contains a line break', async () => {
    const input = { ...mailText, to: customer.email, subject: 'Hi\r\nBcc: all@example.com' }

    expect((await refusalOf(invoke(admin.client, 'send-admin-email', input))).code).toBe('invalid_input')
  })
})

describe('notifications of visitors’ messages and photos', () => {
  it('notifies the shop once of each contact message', async () => {
    const message = {
      name: 'Sipho',
      email: 'sipho@example.com',
      subject: 'Hooks',
      message: 'Which hooks fit the 150?',
    }
    await shop.client().from('contact_submissions').insert(message)

    const { error } = await invoke(shop.client(), 'send-contact-notification', message)
    await shop.runJobs()

    expect(error).toBeNull()
    const { rows } = await shop.database.owner.query(
      `select sent_to, text from public.mails where template = 'contact-notification'`,
    )
    expect(rows).toEqual([
      { sent_to: shop.settings.shopEmail, text: expect.stringContaining('Which hooks fit') },
    ])
  })

  it('notifies the shop of a contact message only within an hour', async () => {
    const message = {
      name: 'Lindiwe',
      email: 'lindiwe@example.com',
      subject: 'Sizes',
      message: 'Do you make a bigger popper?',
    }
    await shop.client().from('contact_submissions').insert(message)
    const age = (interval: string) =>
      shop.database.owner.query(
        'update public.contact_submissions set created_at = now() - $1::interval where email = $2',
        [interval, message.email],
      )
    const notify = () => invoke(shop.client(), 'send-contact-notification', message)

    await age('61 minutes')
    expect(await refusalOf(notify())).toMatchObject({ status: 404, code: 'message_not_found' })
    await age('59 minutes')
    expect((await notify()).error).toBeNull()
  })

  it('rejects notifications of messages and photos that do not exist', async () => {
    const message = {
      name: 'Mallory',
      email: 'm@example.com',
      subject: 'Spam',
      message: 'Buy my things, now.',
    }

    expect((await refusalOf(invoke(shop.client(), 'send-contact-notification', message))).status).toBe(404)
    expect(
      (
        await refusalOf(
          invoke(shop.client(), 'send-gallery-notification', { submissionId: crypto.randomUUID() }),
        )
      ).status,
    ).toBe(404)
  })

  it('notifies the shop once of each submitted photo that awaits review', async () => {
    const visitor = shop.client()
    const photo = await uploadPhoto(visitor)
    const { data: submission } = await visitor
      .from('gallery_submissions')
      .insert({
        customer_name: 'Sipho',
        email: 'sipho@example.com',
        description: 'Garrick, 8 kg',
        image_url: photo,
        image_urls: [photo],
        status: 'pending',
      })
      .select()
      .single()
      .throwOnError()

    const answer = await invoke(shop.client(), 'send-gallery-notification', { submissionId: submission.id })
    await shop.runJobs()

    expect(answer.error).toBeNull()
    const { rows } = await shop.database.owner.query(
      `select text from public.mails where template = 'gallery-notification'`,
    )
    expect(rows).toEqual([{ text: expect.stringContaining('Garrick, 8 kg') }])
    await shop
      .serviceClient()
      .from('gallery_submissions')
      .update({ status: 'approved' })
      .eq('id', submission.id)
      .throwOnError()
    expect(
      await refusalOf(invoke(shop.client(), 'send-gallery-notification', { submissionId: submission.id })),
    ).toMatchObject({ status: 404, code: 'submission_not_found' })
  })
})

describe('send-newsletter-signup', () => {
  it('welcomes a confirmed subscriber once and records the newsletter consent', async () => {
    const email = `reader-${crypto.randomUUID()}@example.com`
    await shop.client().from('newsletter_signups').insert({ email })

    for (let copy = 0; copy < 2; copy++) {
      const { error } = await invoke(shop.client(), 'send-newsletter-signup', aSignup(email))
      expect(error).toBeNull()
    }
    await shop.runJobs()
    expect(await welcomesTo(email)).toBe(0)

    for (let copy = 0; copy < 2; copy++) await confirmNews(email)
    await shop.runJobs()

    expect(await welcomesTo(email)).toBe(1)
    const { rows } = await shop.database.owner.query(
      'select is_given, source from public.marketing_consents where email = $1',
      [email],
    )
    expect(rows).toEqual([{ is_given: true, source: 'popup' }])
  })

  it('refuses to welcome an address that has not subscribed', async () => {
    const refusal = await refusalOf(
      invoke(customer.client, 'send-newsletter-signup', aSignup('victim@example.com')),
    )

    expect(refusal.code).toBe('signup_not_found')
    expect(await welcomesTo('victim@example.com')).toBe(0)
  })

  it('sends no newsletter mail to an address without consent', async () => {
    const person = await shop.signUp()

    await invoke(person.client, 'send-newsletter-signup', { ...aSignup(person.email), marketingOptIn: false })
    await shop.runJobs()

    expect(await welcomesTo(person.email)).toBe(0)
  })

  it('subscribes a customer’s verified address without another confirmation', async () => {
    const person = await shop.signUp()
    await shop.verifyMailbox(person)

    const { error } = await invoke(person.client, 'send-newsletter-signup', aSignup(person.email))
    await shop.runJobs()

    expect(error).toBeNull()
    expect(await welcomesTo(person.email)).toBe(1)
  })
})

/** Confirms the subscription with the link of the latest mail to the address. */
async function confirmNews(email: string): Promise<void> {
  const { rows } = await shop.database.owner.query<{ secret: string }>(
    `select props ->> 'secret' as secret from public.mails
     where template = 'newsletter-confirmation' and recipient = $1 order by created_at desc limit 1`,
    [email],
  )
  const answer = await shop.fetch(`/mail/confirm/${rows[0]?.secret}`, { method: 'POST' })
  expect(answer.status).toBe(200)
}

function aSignup(email: string) {
  return { email, acceptedTerms: true, marketingOptIn: true }
}

async function welcomesTo(email: string): Promise<number> {
  const { rowCount } = await shop.database.owner.query(
    `select from public.mails where template = 'newsletter-signup' and recipient = $1`,
    [email],
  )
  return rowCount ?? 0
}

/** A new customer per order, because a second order replaces an unpaid first one. */
async function aCustomer(): Promise<Person> {
  return shop.signUp()
}

function pay(order: BuyerOrder, { client, amount = 240 }: { client: ShopClient; amount?: number | string }) {
  return invoke(client, 'generate-payfast-payment', {
    orderId: order.id,
    amount,
    customerEmail: 'victim@example.com',
    customerName: 'Somebody Else',
    orderNumber: order.order_number,
  })
}

function invoke(client: ShopClient, name: string, body: object) {
  return client.functions.invoke(name, { body })
}

async function refusalOf(
  invocation: ReturnType<typeof invoke>,
): Promise<{ status: number; code: string; message: string }> {
  const { error } = await invocation
  if (!error) throw new Error('it was not refused')
  return { status: error.context.status, ...(await error.context.json()) }
}

function call(name: string, body: string | undefined, method = 'POST') {
  return shop.fetch(`/functions/v1/${name}`, {
    method,
    body,
    headers: { apikey: shop.keys.publishable, 'Content-Type': 'application/json' },
  })
}

/** The specified input with forged content, which the mail must not use. */
function specifiedInput(order: BuyerOrder) {
  return {
    orderId: order.id,
    orderNumber: order.order_number,
    customerEmail: 'victim@example.com',
    customerName: 'Victim',
    items: [{ product_name: 'Free lures', quantity: 1, price: 0, product_variant: 'x', with_hooks: true }],
    totalAmount: 0,
    shippingCost: 0,
    shippingMethod: 'standard',
    shippingAddress: 'x',
    shippingCity: 'x',
    shippingState: 'x',
    shippingZip: 'x',
  }
}

async function markPaid(order: BuyerOrder): Promise<void> {
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [order.id])
}

async function staffMailsTo(address: string): Promise<{ text: string; props: { orderId?: string } }[]> {
  await shop.runJobs()
  const { rows } = await shop.database.owner.query(
    `select text, props from public.mails where template = 'admin-email' and sent_to = $1 order by created_at`,
    [address],
  )
  return rows
}

async function attemptsFor(order: BuyerOrder): Promise<number> {
  const { rowCount } = await shop.database.owner.query(
    'select from public.payment_attempts where order_id = $1',
    [order.id],
  )
  return rowCount ?? 0
}

async function mailsOf(order: BuyerOrder): Promise<{ template: string; sent_to: string; text: string }[]> {
  const { rows } = await shop.database.owner.query(
    `select template, sent_to, text from public.mails where props ->> 'orderId' = $1 order by template`,
    [order.id],
  )
  return rows
}
