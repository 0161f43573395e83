import { describe, expect } from 'vitest'
import { MARKETING_WORDING as WORDING } from '#domain/marketing.ts'
import {
  aCustomer,
  aVerifiedCustomer,
  anAdmin,
  orderOf,
  markOrderPaid,
  type UserClaims,
  place,
  popper,
  putInCart,
  statusOf,
  verifyMailbox,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const NOTHING_FOUND = { code: 'PT404', reason: 'order_not_found' }

/** The claims of a session with an assurance level and the time of the last authentication. */
function session(person: UserClaims, { aal = 'aal1', provenAgo = 0 } = {}) {
  const timestamp = Math.floor(Date.now() / 1000) - provenAgo
  return { ...person, aal, amr: [{ method: 'password', timestamp }] }
}

async function setUpFactor(sql: TestTransaction, person: UserClaims, status = 'verified'): Promise<void> {
  await sql.rows(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Phone', 'totp', $2, 'x', now(), now())`,
    [person.sub, status],
  )
}

describe('second factor', () => {
  const PERSONAL = ['cart_items', 'marketing_consents', 'order_items', 'orders', 'profiles', 'user_roles']

  test('hides personal rows from a session that lacks the second factor', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.as(session(customer))
    await sql.rows('select public.set_marketing_consent(false, $1)', [WORDING])
    await sql.asShop()
    await sql.rows(
      `insert into public.marketing_consents (email, customer_id, is_given, source, wording) values ($1, $2, true, 'shop', $3)`,
      [customer.email, customer.sub, WORDING],
    )
    await setUpFactor(sql, customer)

    await sql.as(session(customer))
    for (const table of PERSONAL) expect(await sql.touched(`select from public.${table}`), table).toBe(0)
    expect(await sql.touched(`update public.profiles set city = 'Durban'`)).toBe(0)
    expect(await sql.value('select public.cancel_own_order($1)', [order.id])).toBe(false)
    expect(await sql.value('select public.marketing_consent()')).toMatchObject({ is_given: false })
    await sql.as(session(customer, { aal: 'aal2' }))
    for (const table of PERSONAL) expect(await sql.touched(`select from public.${table}`), table).toBe(1)
    expect(await sql.value('select public.marketing_consent()')).toMatchObject({ is_given: true })
  })

  test.for([
    'select public.quote_cart()',
    'select public.own_reservations()',
    `select public.validate_promo_code('5OFFFIRST')`,
    `select public.merge_cart('[]')`,
  ])('requires the customer’s second factor for %s', async (call, { sql }) => {
    const customer = await aCustomer(sql)
    await setUpFactor(sql, customer)
    await sql.as(session(customer))

    expect(await sql.refusal(call)).toMatchObject({ code: '42501' })
  })

  test('requires the customer’s second factor to give consent to marketing', async ({ sql }) => {
    const customer = await aVerifiedCustomer(sql)
    await setUpFactor(sql, customer)
    await sql.as(session(customer))

    expect(await sql.refusal('select public.set_marketing_consent(true, $1)', [WORDING])).toMatchObject({
      reason: 'not_signed_in',
    })
  })

  test('gives no rights to an expired session or to the session of another account', async ({ sql }) => {
    const [admin, other] = [await anAdmin(sql), await aCustomer(sql)]
    const sessionOf = (person: UserClaims, notAfter: string | null) =>
      sql.value<string>(
        `insert into auth.sessions (id, user_id, created_at, updated_at, not_after)
         values (gen_random_uuid(), $1, now(), now(), now() + $2::interval) returning id`,
        [person.sub, notAfter],
      )
    const isAdmin = async (session_id: string) => {
      await sql.as({ ...admin, session_id })
      const answer = await sql.value('select private.is_admin()')
      await sql.asShop()
      return answer
    }

    expect([
      await isAdmin(await sessionOf(admin, null)),
      await isAdmin(await sessionOf(admin, '1 minute')),
      await isAdmin(await sessionOf(admin, '-1 second')),
      await isAdmin(await sessionOf(other, null)),
    ]).toEqual([true, true, false, false])
  })

  test('does not require a second factor that was never verified', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await setUpFactor(sql, customer, 'unverified')

    await sql.as(session(customer))
    expect(await sql.touched('select from public.profiles')).toBe(1)
  })

  test('requires the customer’s second factor to place an order', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.as(session(customer))
    await putInCart(sql, popper)
    await sql.asShop()
    await setUpFactor(sql, customer)

    await sql.as(session(customer))
    await sql.rows('savepoint attempt')
    await expect(place(sql, { total: 210 })).rejects.toMatchObject({ code: '42501' })
    await sql.rows('rollback to savepoint attempt')
  })

  test('grants admin rights only after an admin verifies the second factor', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await setUpFactor(sql, admin)

    await sql.as(session(admin))
    expect(await sql.value('select private.is_admin()')).toBe(false)
    await sql.as(session(admin, { aal: 'aal2' }))
    expect(await sql.value('select private.is_admin()')).toBe(true)
  })
})

test('reports whether an account’s current e-mail address is verified', async ({ sql }) => {
  const customer = await aCustomer(sql)
  const isVerified = async () => {
    await sql.as(session(customer))
    const answer = await sql.value('select public.has_verified_mailbox()')
    await sql.asShop()
    return answer
  }

  expect(await isVerified()).toBe(false)
  await verifyMailbox(sql, customer)
  expect(await isVerified()).toBe(true)
  await sql.rows(`update auth.users set email = 'moved@example.com' where id = $1`, [customer.sub])
  expect(await isVerified()).toBe(false)
})

describe('order document', () => {
  test('shows a customer an order’s lines, money, courier and timeline without staff names or internal events', async ({
    sql,
  }) => {
    const [customer, admin] = [await aCustomer(sql), await anAdmin(sql)]
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await markOrderPaid(sql, order)
    await sql.as(admin)
    await sql.rows(
      `update public.orders set status = 'shipped', tracking_number = 'TCG 1',
         courier_company_id = (select id from public.courier_companies where name = 'The Courier Guy') where id = $1`,
      [order.id],
    )

    await sql.asShop()
    await sql.rows(
      `insert into public.order_events (order_id, kind, detail)
       values ($1, 'payment_notice', '{"outcome": "repeated"}'), ($1, 'mail_sent', '{"template": "order-notification"}')`,
      [order.id],
    )

    await sql.as(session(customer))
    const shown = await sql.value<{ timeline: { kind: string; status: string }[] }>(
      'select public.get_order($1)',
      [order.id],
    )
    expect(shown).toMatchObject({
      status: 'shipped',
      total_amount: 210,
      tracking_number: 'TCG 1',
      courier: { name: 'The Courier Guy', tracking_url: expect.stringContaining('{number}') },
      items: [{ product_variant: 'Redhead 150mm', price: 110, quantity: 1, with_hooks: false }],
      is_being_confirmed: false,
    })
    expect(shown.timeline.map(({ kind, status }) => [kind, status])).toEqual([
      ['placed', null],
      ['paid', 'new'],
      ['status_changed', 'shipped'],
      ['tracking_changed', null],
    ])
    expect(JSON.stringify(shown)).not.toContain(admin.sub)
  })

  test('hides an order from other accounts and from sessions without the second factor', async ({ sql }) => {
    const [customer, other, admin] = [await aCustomer(sql), await aCustomer(sql), await anAdmin(sql)]
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
    const show = () => sql.refusal('select public.get_order($1)', [order.id])

    for (const person of [other, admin]) {
      await sql.as(session(person))
      expect(await show()).toMatchObject(NOTHING_FOUND)
    }
    await sql.asShop()
    await setUpFactor(sql, customer)
    await sql.as(session(customer))
    expect(await show()).toMatchObject(NOTHING_FOUND)
  })
})

describe('marketing consent', () => {
  test('records the text of each given and withdrawn marketing consent', async ({ sql }) => {
    const customer = await aVerifiedCustomer(sql)
    await sql.as(session(customer))
    expect(await sql.value('select public.marketing_consent()')).toMatchObject({
      is_given: false,
      changed_at: null,
    })

    await sql.rows('select public.set_marketing_consent(true, $1)', [WORDING])

    expect(await sql.value('select public.marketing_consent()')).toMatchObject({
      is_given: true,
      wording: WORDING,
    })
    await sql.rows('select public.set_marketing_consent(false, $1)', ['Stop'])
    await sql.asShop()
    expect(
      await sql.rows(
        'select is_given, wording from public.marketing_consents where customer_id = $1 order by id',
        [customer.sub],
      ),
    ).toEqual([
      { is_given: true, wording: WORDING },
      { is_given: false, wording: 'Stop' },
    ])
    expect(
      await sql.value('select unsubscribed_at is not null from public.newsletter_signups where email = $1', [
        customer.email,
      ]),
    ).toBe(true)
  })

  test('keeps the subscriptions of other people when a customer switches marketing off', async ({ sql }) => {
    const customer = await aVerifiedCustomer(sql)
    await sql.rows('insert into public.newsletter_signups (email) values ($1), ($2)', [
      customer.email,
      'reader@example.com',
    ])
    await sql.as(session(customer))

    await sql.rows('select public.set_marketing_consent(false, $1)', [WORDING])

    await sql.asShop()
    expect(
      await sql.rows('select email from public.newsletter_signups where unsubscribed_at is null'),
    ).toEqual([{ email: 'reader@example.com' }])
  })

  test('ends marketing consent by the unsubscribe link and accepts a new consent afterwards', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql)
    await sql.as(session(customer))
    await sql.rows('select public.set_marketing_consent(true, $1)', [WORDING])
    await sql.asShop()
    await sql.rows(
      `update public.newsletter_signups set unsubscribed_at = now() + interval '1 second' where email = $1`,
      [customer.email],
    )

    await sql.as(session(customer))
    expect(await sql.value('select public.marketing_consent()')).toMatchObject({ is_given: false })
    await sql.rows('select public.set_marketing_consent(true, $1)', [WORDING])
    expect(await sql.value('select public.marketing_consent()')).toMatchObject({ is_given: true })
  })

  test('ends a pending consent when its link expires after thirty days', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const isPending = () => sql.value(`select public.marketing_consent() ->> 'is_pending'`)
    const ageLink = async (age: string) => {
      await sql.asShop()
      await sql.rows(`update private.newsletter_links set asked_at = now() - $1::interval`, [age])
      await sql.as(session(customer))
      return isPending()
    }
    await sql.as(session(customer))
    await sql.rows('select public.set_marketing_consent(true, $1)', [WORDING])

    expect(await isPending()).toBe('true')
    expect(await ageLink('29 days 23 hours')).toBe('true')
    expect(await ageLink('30 days')).toBe('false')
  })
})

describe('data export', () => {
  test('exports all data of a customer and no data of other accounts', async ({ sql }) => {
    const [customer, other] = [await aVerifiedCustomer(sql), await aCustomer(sql)]
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
    const { id: orderId } = await orderOf(sql, other, { lines: [popper], total: 210 })
    await sql.rows('select private.queue_mail($1, $1, $2, $3)', [
      'order-confirmation',
      other.email,
      JSON.stringify({ orderId }),
    ])
    await sql.rows(
      `update public.mails set status = 'sent', sent_at = now(), sent_to = recipient, subject = 'Your order'`,
    )
    await sql.rows(`insert into auth.sessions (id, user_id, user_agent) values (gen_random_uuid(), $1, $2)`, [
      other.sub,
      `Browser of ${other.email}`,
    ])
    await sql.rows(
      `insert into public.marketing_consents (email, customer_id, is_given, source, wording) values ($1, $2, true, 'shop', $3)`,
      [other.email, other.sub, WORDING],
    )
    await sql.as(session(customer))
    await sql.rows('select public.set_marketing_consent(true, $1)', [WORDING])

    const data = await sql.value<Record<string, unknown>>('select public.export_my_data()')

    expect(data).toMatchObject({
      account: { email: customer.email },
      profile: { email: customer.email },
      orders: [{ order_number: order.order_number, items: [{ price: 110 }] }],
      cart: [{ product_variant: 'Redhead 150mm' }],
      marketing_consents: [{ wording: WORDING }],
    })
    expect(data).toMatchObject({ sessions: [], mails_about_orders: [], marketing_consents: [{}] })
    expect(JSON.stringify(data)).not.toContain(other.email)
    expect(JSON.stringify(data)).not.toContain(other.sub)
  })

  test('requires the second factor to export a customer’s data', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await setUpFactor(sql, customer)
    await sql.as(session(customer))

    expect(await sql.refusal('select public.export_my_data()')).toMatchObject({ reason: 'not_signed_in' })
  })
})

describe('account closing', () => {
  test('cancels unpaid orders and keeps paid orders when a customer closes the account', async ({ sql }) => {
    const customer = await aVerifiedCustomer(sql)
    const paid = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await markOrderPaid(sql, paid)
    const unpaid = await orderOf(sql, customer, { lines: [popper], total: 210 })

    await sql.as(session(customer))
    await sql.rows('select public.set_marketing_consent(true, $1)', [WORDING])
    await sql.rows('select public.close_account()')
    await sql.asShop()

    for (const table of ['auth.users', 'public.profiles']) {
      expect(await sql.rows(`select from ${table} where id = $1`, [customer.sub]), table).toEqual([])
    }
    expect(await sql.rows('select from public.cart_items where user_id = $1', [customer.sub])).toEqual([])
    expect([await statusOf(sql, paid), await statusOf(sql, unpaid)]).toEqual(['new', 'cancelled'])
    expect(
      await sql.row('select customer_id, customer_name from public.orders where id = $1', [paid.id]),
    ).toEqual({
      customer_id: null,
      customer_name: 'Thandi Mokoena',
    })
    expect(
      await sql.rows('select is_given from public.marketing_consents where email = $1 order by id', [
        customer.email,
      ]),
    ).toEqual([{ is_given: true }, { is_given: false }])
    expect(
      await sql.value('select unsubscribed_at is not null from public.newsletter_signups where email = $1', [
        customer.email,
      ]),
    ).toBe(true)
    expect(await sql.rows(`select from public.mails where template = 'account-closed'`)).toHaveLength(1)
  })

  test('requires a recent reauthentication to close an account', async ({ sql }) => {
    const customer = await aCustomer(sql)
    for (const claims of [session(customer, { provenAgo: 601 }), customer]) {
      await sql.as(claims)
      expect(await sql.refusal('select public.close_account()')).toMatchObject({
        code: 'PT403',
        reason: 'not_proven_recently',
      })
    }
  })

  test('closes an account whose newest proof of identity is recent', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const [older] = session(customer, { provenAgo: 3600 }).amr
    const claims = session(customer)
    await sql.as({ ...claims, amr: [older, ...claims.amr] })

    await sql.rows('select public.close_account()')

    await sql.asShop()
    expect(await sql.rows('select from auth.users where id = $1', [customer.sub])).toEqual([])
  })

  test('refuses to close the account of the only admin', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.rows(`delete from public.user_roles where role = 'admin' and user_id <> $1`, [admin.sub])
    await sql.as(session(admin))
    expect(await sql.refusal('select public.close_account()')).toMatchObject({ reason: 'last_admin' })

    await sql.asShop()
    await anAdmin(sql)
    await sql.as(session(admin))
    await sql.rows('select public.close_account()')
    await sql.asShop()
    expect(await sql.rows('select from auth.users where id = $1', [admin.sub])).toEqual([])
  })

  test('erases names, addresses and phones from orders without an account after five years, not earlier', async ({
    sql,
  }) => {
    const customer = await aCustomer(sql)
    const [old, young] = [
      await orderOf(sql, customer, { lines: [popper], total: 210 }).then((order) =>
        markOrderPaid(sql, order).then(() => order),
      ),
      await orderOf(sql, customer, { lines: [popper], total: 210 }),
    ]
    await sql.as(session(customer))
    await sql.rows('select public.close_account()')
    await sql.asShop()
    const kept = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.rows('set constraints all immediate')
    await sql.rows('alter table public.orders disable trigger touch_updated_at')
    const age = (id: string, years: string) =>
      sql.rows(`update public.orders set updated_at = now() - $2::interval where id = $1`, [id, years])
    await age(old.id, '5 years 1 day')
    await age(young.id, '4 years 364 days')
    await age(kept.id, '5 years 1 day')

    await sql.rows(
      `insert into public.mails (key, template, recipient, props, created_at)
       values ('old', 'order-confirmation', 'a@example.com', '{"orderId": "${old.id}"}', now() - interval '5 years 1 day'),
         ('young', 'order-confirmation', 'a@example.com', '{"orderId": "${young.id}"}', now() - interval '4 years 364 days')`,
    )

    expect(await sql.value('select private.erase_inactive_customers()')).toBe(1)
    expect(await sql.rows(`select from public.mails where key = 'old'`)).toEqual([])
    expect(await sql.rows(`select from public.mails where key = 'young'`)).toHaveLength(1)

    const person = (id: string) =>
      sql.row(
        `select customer_name, customer_email, customer_phone, shipping_city, total_amount
         from public.orders where id = $1`,
        [id],
      )
    expect(await person(old.id)).toEqual({
      customer_name: null,
      customer_email: null,
      customer_phone: null,
      shipping_city: 'Erased',
      total_amount: '210.00',
    })
    expect(await person(young.id)).toMatchObject({ customer_name: 'Thandi Mokoena' })
    // Its account exists, and its owner may have signed in since.
    expect(await person(kept.id)).toMatchObject({ customer_name: 'Thandi Mokoena' })
  })
})

test('requires the second factor in every table with personal rows', async ({ sql }) => {
  expect(
    await sql.rows(
      `select distinct p.tablename from pg_policies p
      where p.schemaname = 'public' and p.cmd = 'SELECT' and p.policyname like '%own%' and not exists (
        select from pg_policies q
        where q.schemaname = 'public' and q.tablename = p.tablename and q.policyname = 'all_with_aal2' and q.permissive = 'RESTRICTIVE'
          and q.qual like '%has_aal2()%')`,
    ),
  ).toEqual([])
})
