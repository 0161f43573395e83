import { describe, expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  orderOf,
  markOrderPaid,
  popper,
  riggedStickBait,
  type OrderRecord,
  type UserClaims,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

interface Scene {
  order: OrderRecord
  admin: UserClaims
}

/** Creates a paid order and signs an admin in. */
async function aPaidOrder(sql: TestTransaction): Promise<Scene> {
  const admin = await anAdmin(sql)
  const order = await orderOf(sql, await aCustomer(sql), { lines: [riggedStickBait], total: 600 })
  await markOrderPaid(sql, order)
  await sql.as(admin)
  return { order, admin }
}

const CHANGE = 'select public.change_delivery($1, $2, $3)'
const asJson = (value: object) => JSON.stringify(value)

describe('internal note', () => {
  // covers A10
  test('records the author of an internal note and rejects later changes', async ({ sql }) => {
    const { order, admin } = await aPaidOrder(sql)

    await sql.rows(`insert into public.order_notes (order_id, body) values ($1, 'Wrap it twice')`, [order.id])

    const note = await sql.row('select body, author_id from public.order_notes where order_id = $1', [
      order.id,
    ])
    expect(note).toEqual({ body: 'Wrap it twice', author_id: admin.sub })
    expect(await sql.refusal(`update public.order_notes set body = 'Other words'`)).toMatchObject({
      code: '42501',
    })
  })

  test('rejects an empty internal note', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)

    const refused = await sql.refusal(`insert into public.order_notes (order_id, body) values ($1, '  ')`, [
      order.id,
    ])

    expect(refused.constraint).toBe('note_says_something')
  })
})

// covers A15
describe('delivery correction', () => {
  test('corrects a delivery address and records both versions on the timeline', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)

    await sql.rows(CHANGE, [
      order.id,
      asJson({ shipping_address: '14 Beach Road' }),
      asJson({
        shipping_address: ' 41  Beach Road',
        shipping_zip: '6191',
        shipping_method: 'locker',
        locker_location: 'Spar, Umhlanga',
      }),
    ])

    expect(
      await sql.row(
        'select shipping_address, locker_location, shipping_city, shipping_zip from public.orders where id = $1',
        [order.id],
      ),
    ).toEqual({
      shipping_address: '41 Beach Road',
      locker_location: 'Spar, Umhlanga',
      shipping_city: 'Durban',
      shipping_zip: '6191',
    })
    const { detail } = await sql.row<{ detail: unknown }>(
      `select detail from public.order_events where order_id = $1 and kind = 'delivery_changed'`,
      [order.id],
    )
    expect(detail).toMatchObject({
      before: { shipping_address: '14 Beach Road' },
      after: { shipping_address: '41 Beach Road' },
    })
  })

  test('keeps the spelling of the phone number when only the street is corrected', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)

    await sql.rows(CHANGE, [order.id, '{}', asJson({ shipping_address: '41 Beach Road' })])

    expect(await sql.value('select customer_phone from public.orders where id = $1', [order.id])).toBe(
      order.customer_phone,
    )
  })

  test('refuses to overwrite a delivery address that another person has just changed', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)
    const was = asJson({ shipping_address: '14 Beach Road' })
    await sql.rows(CHANGE, [order.id, was, asJson({ shipping_address: '15 Beach Road' })])

    const refused = await sql.refusal(CHANGE, [order.id, was, asJson({ shipping_address: '16 Beach Road' })])

    expect(refused).toMatchObject({
      reason: 'delivery_changed',
      facts: { shipping_address: '15 Beach Road' },
    })
  })

  test('accepts a correction that is sent again because its answer was lost, and records it once', async ({
    sql,
  }) => {
    const { order } = await aPaidOrder(sql)
    const correction = [
      order.id,
      asJson({ shipping_address: '14 Beach Road' }),
      asJson({ shipping_address: ' 15  Beach Road' }),
    ]
    await sql.rows(CHANGE, correction)

    await sql.rows(CHANGE, correction)

    expect(
      await sql.rows(`select from public.order_events where order_id = $1 and kind = 'delivery_changed'`, [
        order.id,
      ]),
    ).toHaveLength(1)
  })

  test('validates a corrected address with the error messages of the checkout', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)

    const refused = await sql.refusal(CHANGE, [
      order.id,
      '{}',
      asJson({ shipping_method: 'locker', locker_location: '', shipping_city: 'D' }),
    ])

    expect(refused).toMatchObject({
      reason: 'invalid_delivery',
      facts: {
        city: 'City must be at least 2 characters',
        locker_location: 'Please specify your nearest locker location',
      },
    })
  })

  test('refuses to correct the address of a shipped order', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)
    await sql.rows(`update public.orders set status = 'shipped' where id = $1`, [order.id])

    const refused = await sql.refusal(CHANGE, [order.id, '{}', asJson({ shipping_city: 'Mbotyi' })])

    expect(refused.reason).toBe('order_has_left')
  })

  test('refuses to correct the address of a cancelled order', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    const refused = await sql.refusal(CHANGE, [order.id, '{}', asJson({ shipping_city: 'Mbotyi' })])

    expect(refused.reason).toBe('order_has_left')
  })
})

// covers A19
describe('mail', () => {
  test('resends a sent mail as a new mail, and refuses to send it twice within a minute', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const mailId = await aMail(sql, admin, `'sent', now()`)

    await sql.rows('select public.resend_mail($1)', [mailId])
    expect(await sql.refusal('select public.resend_mail($1)', [mailId])).toMatchObject({
      reason: 'mail_just_resent',
    })

    await sql.asShop()
    const again = await sql.rows(
      `select recipient, template, props, status from public.mails where key like 'again:%' || $1`,
      [mailId],
    )
    expect(again).toEqual([
      { recipient: 'thandi@example.com', template: 'refund', props: {}, status: 'queued' },
    ])
  })

  test('neither shows, retries nor resends a mail with a secret', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const mails = [await aMail(sql, admin, `'sent', now()`), await aMail(sql, admin, `'failed', null`)]
    await sql.asShop()
    await sql.rows('update public.mails set confidential = true where id = any ($1)', [mails])
    await sql.as(admin)

    const [sent, failed] = mails
    expect(await sql.refusal('select public.resend_mail($1)', [sent])).toMatchObject({
      reason: 'mail_not_found',
    })
    expect(await sql.refusal('select public.retry_mail($1)', [failed])).toMatchObject({
      reason: 'mail_not_failed',
    })
    expect(await sql.rows('select from public.mails where id = any ($1)', [mails])).toEqual([])
  })

  test('refuses to retry a mail that was sent', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const sent = await aMail(sql, admin, `'sent', now()`)

    expect(await sql.refusal('select public.retry_mail($1)', [sent])).toMatchObject({
      reason: 'mail_not_failed',
    })
  })

  test('refuses to send marketing again', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const sent = await aMail(sql, admin, `'sent', now()`)
    await sql.asShop()
    const signup = await sql.value(
      `insert into public.newsletter_signups (email, source) values ('reader@example.com', 'footer') returning id`,
    )
    await sql.rows('update public.mails set signup_id = $2 where id = $1', [sent, signup])
    await sql.as(admin)

    expect(await sql.refusal('select public.resend_mail($1)', [sent])).toMatchObject({
      reason: 'mail_is_marketing',
    })
  })

  test('neither retries nor resends a stock alert that its recipient cancelled', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const mails = [await aMail(sql, admin, `'failed', null`), await aMail(sql, admin, `'sent', now()`)]
    await sql.asShop()
    const alert = await sql.value<string>(
      `insert into public.stock_alerts (variant_id, email, wording, mailed_at)
       select id, 'thandi@example.com', 'E-mail me once.', now() from public.product_variants limit 1 returning id`,
    )
    await sql.rows(
      `update public.mails set template = 'back-in-stock', props = jsonb_build_object('alertId', $2::text) where id = any ($1)`,
      [mails, alert],
    )
    await sql.rows('select private.cancel_stock_alerts($1)', [alert])
    await sql.as(admin)

    const [failed, sent] = mails
    const retried = await sql.refusal('select public.retry_mail($1)', [failed])
    const resent = await sql.refusal('select public.resend_mail($1)', [sent])
    expect([retried.reason, resent.reason]).toEqual(['mail_is_obsolete', 'mail_is_obsolete'])
  })

  test('retries a queued mail at once and keeps the number of attempts', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const mailId = await aMail(sql, admin, `'queued', null`)
    await sql.asShop()
    await sql.rows('select private.mail_was_refused($1, $2)', [mailId, '451 try later'])
    await sql.as(admin)

    await sql.rows('select public.retry_mail($1)', [mailId])

    await sql.asShop()
    expect(
      await sql.row(
        `select m.attempts, j.run_at <= now() as is_due from public.mails m, graphile_worker.jobs j
         where m.id = $1::uuid and j.key = 'send_mail:' || $1`,
        [mailId],
      ),
    ).toEqual({ attempts: 1, is_due: true })
  })

  test('gives a failed mail all its attempts again when an admin retries it', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const mailId = await aMail(sql, admin, `'failed', null`)
    await sql.asShop()
    await sql.rows('update public.mails set attempts = 44 where id = $1', [mailId])
    await sql.as(admin)

    await sql.rows('select public.retry_mail($1)', [mailId])

    expect(await sql.row('select status, attempts from public.mails where id = $1', [mailId])).toEqual({
      status: 'queued',
      attempts: 0,
    })
  })

  test('deletes a failed mail, but no other one and none with a secret', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const failed = await aMail(sql, admin, `'failed', null`)
    const others = [await aMail(sql, admin, `'queued', null`), await aMail(sql, admin, `'sent', now()`)]
    const secret = await aMail(sql, admin, `'failed', null`)
    await sql.asShop()
    await sql.rows('update public.mails set confidential = true where id = $1', [secret])
    await sql.as(admin)

    for (const mail of [...others, secret]) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      const refused = await sql.refusal('select public.delete_failed_mail($1)', [mail])
      expect(refused.reason).toBe('mail_not_failed')
    }
    await sql.rows('select public.delete_failed_mail($1)', [failed])

    await sql.asShop()
    const left = await sql.rows<{ id: string }>('select id from public.mails where id = any ($1)', [
      [failed, ...others, secret],
    ])
    expect(left.map(({ id }) => id).toSorted()).toEqual([...others, secret].toSorted())
  })

  test('refuses to resend a mail that was not sent', async ({ sql }) => {
    const { admin } = await aPaidOrder(sql)
    const mailId = await aMail(sql, admin, `'queued', null`)

    expect((await sql.refusal('select public.resend_mail($1)', [mailId])).reason).toBe('mail_not_sent')
  })
})

describe('order search', () => {
  // covers A2
  test('finds an order by number, name, e-mail, phone, tracking number and product', async ({ sql }) => {
    await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210, delivery: PIETER })
    const { order } = await aPaidOrder(sql)
    await sql.rows(`update public.orders set tracking_number = 'KC-10%42' where id = $1`, [order.id])
    const number = order.order_number

    for (const term of [
      String(number),
      String(number).padStart(5, '0'),
      `#${String(number).padStart(5, '0')}`,
      'mokoena',
      'THANDI@example',
      '082 123 4567',
      '0821234567',
      '10%42',
      'blue reaper',
      'Slow Sinking',
    ]) {
      expect(await find(sql, term), term).toEqual([order.id])
    }
    expect(await find(sql, 'nobody at all')).toEqual([])
    expect(await find(sql, 'K%C')).toEqual([])
  })

  test('finds the newest orders for a common word and all orders for a rare word', async ({ sql }) => {
    const { order, admin } = await aPaidOrder(sql)
    await sql.asShop()
    // Every third order has a common name; only the newest and the oldest have the rare one.
    await sql.rows(
      `insert into public.orders
       select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'order_number', 5000 + n, 'idempotency_key', null,
         'status', 'pending_payment', 'paid_at', null, 'created_at', o.created_at - n * interval '1 day', 'customer_name',
         case when n in (1, 600) then 'Rare Bird' when n % 3 = 0 then 'Common Tern' else 'Kelp Gull' end))).*
       from public.orders o, generate_series(1, 600) n where o.id = $1`,
      [order.id],
    )
    await sql.as(admin)
    const numbers = async (term: string, atMost: number) =>
      (
        await sql.rows<{ order_number: number }>('select order_number from public.search_orders($1, $2)', [
          term,
          atMost,
        ])
      ).map(({ order_number: number }) => number - 5000)

    expect(await numbers('common tern', 5)).toEqual([3, 6, 9, 12, 15])
    expect(await numbers('common tern', 1000)).toEqual(Array.from({ length: 199 }, (_, n) => 3 * n + 3))
    expect(await numbers('rare bird', 300)).toEqual([1, 600])
    expect(await numbers('rare bird', 1)).toEqual([1])
    expect(await numbers('stick bait', 300)).toHaveLength(1)
    expect(await numbers('rare bird', 1_000_000)).toEqual([1, 600])
  })

  test('finds an order by its number although another order has this tracking number', async ({ sql }) => {
    const { order, admin } = await aPaidOrder(sql)
    await sql.asShop()
    const parcel = await sql.row<{ id: string }>(
      `insert into public.orders
       select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'order_number', 5001,
         'idempotency_key', null, 'status', 'pending_payment', 'paid_at', null, 'tracking_number', o.order_number::text))).*
       from public.orders o where o.id = $1 returning id`,
      [order.id],
    )
    await sql.as(admin)

    expect((await find(sql, String(order.order_number))).toSorted()).toEqual([order.id, parcel.id].toSorted())
  })

  test('does not let customers search for orders', async ({ sql }) => {
    await sql.as(await aCustomer(sql))

    expect((await sql.refusal('select public.search_orders($1)', ['mokoena'])).code).toBe('42501')
  })
})

const PIETER = {
  full_name: 'Pieter Botha',
  email: 'pieter@example.com',
  phone: '083 999 0000',
  address: '2 Long Street',
  city: 'Cape Town',
  state: 'Western Cape',
  zip_code: '8001',
  shipping_method: 'door-to-door',
}

async function find(sql: TestTransaction, term: string): Promise<string[]> {
  const found = await sql.rows<{ id: string }>('select id from public.search_orders($1)', [term])
  return found.map(({ id }) => id)
}

async function aMail(sql: TestTransaction, admin: UserClaims, statusAndTime: string): Promise<string> {
  await sql.asShop()
  const id = await sql.value<string>(
    `insert into public.mails (key, template, recipient, props, status, sent_at)
     values (gen_random_uuid()::text, 'refund', 'thandi@example.com', '{}', ${statusAndTime}) returning id`,
  )
  await sql.as(admin)
  return id
}
