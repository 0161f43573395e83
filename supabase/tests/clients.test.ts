import { describe, expect } from 'vitest'
import { MARKETING_WORDING as YES } from '#domain/marketing.ts'
import {
  aCustomer,
  aVerifiedCustomer,
  anAdmin,
  aPromoCode,
  orderOf,
  markOrderPaid,
  type UserClaims,
  popper,
  statusOf,
} from './shopping.ts'
import { delivery } from '#test/shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const TENNER = { code: 'TENNER', discount_type: 'fixed', discount_value: 10, per_customer_limit: 1 } as const

interface ShownClient {
  orders: number
  paid_orders: number
  spend: number
  last_order_at: string | null
  consent: { is_given: boolean; wording: string | null }
  duplicates: { id: string; problem: string | null; orders: number }[]
}

async function show(sql: TestTransaction, client: UserClaims): Promise<ShownClient> {
  await sql.as(await anAdmin(sql))
  const shown = await sql.value<ShownClient>('select public.get_client($1)', [client.sub])
  await sql.asShop()
  return shown
}

async function signIn(sql: TestTransaction, ...people: UserClaims[]): Promise<void> {
  await sql.rows('update auth.users set last_sign_in_at = now() where id = any ($1)', [
    people.map(({ sub }) => sub),
  ])
}

async function setPhone(sql: TestTransaction, person: UserClaims, phone: string): Promise<void> {
  await sql.rows('update public.profiles set phone = $2 where id = $1', [person.sub, phone])
}

function consent(sql: TestTransaction, person: UserClaims, isGiven: boolean) {
  return sql.rows(
    `insert into public.marketing_consents (email, customer_id, is_given, source, wording) values ($1, $2, $3, 'sign-up', $4)`,
    [person.email, person.sub, isGiven, YES],
  )
}

function merging(kept: UserClaims, merged: UserClaims): [string, string[]] {
  return ['select public.merge_clients($1, $2)', [kept.sub, merged.sub]]
}

describe('client page', () => {
  // covers A28
  test('counts all orders of a client, but only paid orders as spend', async ({ sql }) => {
    const client = await aCustomer(sql)
    const paid = await orderOf(sql, client, { lines: [popper], total: 210 })
    expect(await show(sql, client)).toMatchObject({ orders: 1, paid_orders: 0, spend: 0 })
    await markOrderPaid(sql, paid)
    const cancelled = await orderOf(sql, client, { lines: [{ ...popper, quantity: 2 }], total: 320 })
    await markOrderPaid(sql, cancelled)
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled.id])
    await sql.rows(`update public.orders set created_at = now() - interval '3 days' where id = $1`, [paid.id])

    expect(await show(sql, client)).toMatchObject({
      orders: 2,
      paid_orders: 1,
      spend: 210,
      last_order_at: await sql.value('select to_jsonb(created_at) from public.orders where id = $1', [
        cancelled.id,
      ]),
      consent: { is_given: false, wording: null },
    })
  })

  test('counts no order that the client has not placed, also for a possible duplicate', async ({ sql }) => {
    const [client, duplicate] = [await aCustomer(sql), await aCustomer(sql)]
    for (const person of [client, duplicate]) {
      await setPhone(sql, person, '082 123 4567')
      await sql.as(person)
      await sql.rows(
        `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
         values ($1, 210, 100, 'door-to-door', '1 Beach Road', 'Durban', 'KwaZulu-Natal', '4001')`,
        [person.sub],
      )
      await sql.asShop()
    }

    expect(await show(sql, client)).toMatchObject({
      orders: 0,
      last_order_at: null,
      duplicates: [{ id: duplicate.sub, orders: 0 }],
    })
  })

  test('lists a client’s possible duplicate accounts with the obstacle to a merge', async ({ sql }) => {
    const client = await aVerifiedCustomer(sql, 'thandi.m@gmail.com')
    const [mailbox, phone] = [await aCustomer(sql, 'thandim+lures@gmail.com'), await aCustomer(sql)]
    await aCustomer(sql)
    await setPhone(sql, client, '082 123 4567')
    await setPhone(sql, phone, '+27 82 123 4567')
    await signIn(sql, client, mailbox, phone)

    const { duplicates } = await show(sql, client)

    expect(Object.fromEntries(duplicates.map(({ id, problem }) => [id, problem]))).toEqual({
      [mailbox.sub]: null,
      [phone.sub]: 'both_signed_in',
    })
  })

  test('returns 404 for the page of an unknown client', async ({ sql }) => {
    await sql.as(await anAdmin(sql))

    expect(
      await sql.refusal('select public.get_client($1)', ['00000000-0000-4000-8000-000000000000']),
    ).toMatchObject({ code: 'PT404', reason: 'client_not_found' })
  })
})

describe('client export', () => {
  test('exports the same client data to admins as to the client', async ({ sql }) => {
    const client = await aCustomer(sql)
    await orderOf(sql, client, { lines: [popper], total: 210 })
    const admin = await anAdmin(sql)
    await sql.as(client)
    const own = await sql.value('select public.export_my_data()')
    await sql.as(admin)

    expect(await sql.value('select public.export_client($1)', [client.sub])).toEqual(own)
  })
})

describe('client erasure', () => {
  const ERASE = 'select public.erase_client($1)'

  test('erases a client’s sign-in, profile and notes, but keeps paid orders', async ({ sql }) => {
    const [client, admin] = [await aCustomer(sql), await anAdmin(sql)]
    const paid = await orderOf(sql, client, { lines: [popper], total: 210 })
    await markOrderPaid(sql, paid)
    const waiting = await orderOf(sql, client, { lines: [popper], total: 210 })
    await consent(sql, client, true)
    await sql.as(admin)
    await sql.rows(`insert into public.client_notes (client_id, body) values ($1, 'Fishes at Mbotyi')`, [
      client.sub,
    ])

    await sql.rows(ERASE, [client.sub])

    await sql.asShop()
    expect(await sql.touched(`select from auth.users where id = '${client.sub}'`)).toBe(0)
    expect(await sql.touched(`select from public.client_notes`)).toBe(0)
    expect([await statusOf(sql, paid), await statusOf(sql, waiting)]).toEqual(['new', 'cancelled'])
    expect(await sql.value('select customer_id from public.orders where id = $1', [paid.id])).toBeNull()
    expect(
      await sql.row(
        'select is_given, source from public.marketing_consents where email = $1 order by id desc limit 1',
        [client.email],
      ),
    ).toEqual({ is_given: false, source: 'the shop, on request' })
    expect(await sql.value(`select recipient from public.mails where template = 'account-closed'`)).toBe(
      client.email,
    )
  })

  test('refuses to erase admin accounts', async ({ sql }) => {
    const [admin, colleague] = [await anAdmin(sql), await anAdmin(sql)]
    await sql.as(admin)

    for (const account of [admin, colleague]) {
      expect(await sql.refusal(ERASE, [account.sub])).toMatchObject({ reason: 'client_is_admin' })
    }
  })
})

describe('account merge', () => {
  // covers A28
  test('moves orders, notes, consents and promo code uses to the remaining account of a merge', async ({
    sql,
  }) => {
    await aPromoCode(sql, TENNER)
    const [kept, merged, admin] = [await aVerifiedCustomer(sql), await aCustomer(sql), await anAdmin(sql)]
    await signIn(sql, kept)
    await sql.rows(`update public.profiles set full_name = 'Thandi', phone = '' where id = $1`, [kept.sub])
    await sql.rows(
      `update public.profiles set full_name = 'T. M.', phone = '0821234567', address = '14 Beach Road',
         city = 'Durban', state = 'KwaZulu-Natal', zip_code = '4001' where id = $1`,
      [merged.sub],
    )
    // Only the account says that the use of the promo code is this person's.
    const gift = { ...delivery, email: 'gift@example.com', phone: '083 765 4321' }
    const order = await orderOf(sql, merged, {
      lines: [popper],
      total: 200,
      promo: 'TENNER',
      delivery: gift,
    })
    await markOrderPaid(sql, order)
    await consent(sql, merged, false)
    await sql.as(admin)
    await sql.rows(`insert into public.client_notes (client_id, body) values ($1, 'Call first')`, [
      merged.sub,
    ])

    const moved = await sql.value(...merging(kept, merged))

    expect(moved).toEqual({ orders: 1, notes: 1, consents: 1 })
    await sql.asShop()
    expect(await sql.touched(`select from auth.users where id = '${merged.sub}'`)).toBe(0)
    expect(
      await sql.row(
        'select full_name, phone, address, city, state, zip_code from public.profiles where id = $1',
        [kept.sub],
      ),
    ).toEqual({
      full_name: 'Thandi',
      phone: '0821234567',
      address: '14 Beach Road',
      city: 'Durban',
      state: 'KwaZulu-Natal',
      zip_code: '4001',
    })
    expect(await show(sql, kept)).toMatchObject({ orders: 1, spend: 200, duplicates: [] })
    expect(
      await sql.value('select body from public.client_notes order by created_at desc, body desc limit 1'),
    ).toContain(`Merged with ${merged.email}`)
    await sql.as(kept)
    expect(await sql.value(`select error_message from public.validate_promo_code('TENNER')`)).toBe(
      'You have already used this promo code',
    )
  })

  test.for([
    ['given, later withdrawn by the merged account', true, false],
    ['missing, given by the merged account', null, true],
  ] as const)('keeps the remaining account’s consent in a merge: %s', async ([, own, others], { sql }) => {
    const [kept, merged] = [await aVerifiedCustomer(sql), await aCustomer(sql)]
    if (own !== null) await consent(sql, kept, own)
    await consent(sql, merged, others)
    await sql.as(await anAdmin(sql))

    await sql.rows(...merging(kept, merged))

    await sql.asShop()
    expect((await show(sql, kept)).consent.is_given).toBe(own ?? false)
  })

  test('moves the waiting stock alerts of a merged account’s mailbox, each colour once', async ({ sql }) => {
    const [kept, merged] = [await aVerifiedCustomer(sql), await aVerifiedCustomer(sql)]
    await signIn(sql, kept)
    await sql.rows(
      `insert into public.stock_alerts (variant_id, email, wording, mailed_at)
       select v.id, alert.email, 'E-mail me once.', alert.mailed_at
       from (select id, row_number() over (order by id) as at from public.product_variants) as v
       join (values (1, $1, null), (1, $2, null), (2, $2, null), (3, $2, now())) as alert (at, email, mailed_at) on alert.at = v.at`,
      [kept.email, merged.email],
    )
    await sql.as(await anAdmin(sql))

    await sql.rows(...merging(kept, merged))

    expect(await sql.rows('select email, mailed_at from public.stock_alerts')).toEqual([
      { email: kept.email, mailed_at: null },
      { email: kept.email, mailed_at: null },
    ])
  })

  test('refuses to merge two accounts with sign-ins and different mailboxes', async ({ sql }) => {
    const [kept, phone, mailbox] = [
      await aVerifiedCustomer(sql, 'lerato@gmail.com'),
      await aCustomer(sql),
      await aCustomer(sql, 'l.erato@googlemail.com'),
    ]
    await signIn(sql, kept, phone, mailbox)
    await sql.as(await anAdmin(sql))

    expect(await sql.refusal(...merging(kept, phone))).toMatchObject({
      code: 'PT409',
      reason: 'both_signed_in',
    })
    expect(await sql.value(...merging(kept, mailbox))).toEqual({ orders: 0, notes: 0, consents: 0 })
  })

  test('refuses to merge into an account with an unverified mailbox', async ({ sql }) => {
    const [unverified, merged] = [await aCustomer(sql), await aCustomer(sql)]
    await sql.as(await anAdmin(sql))

    expect(await sql.refusal(...merging(unverified, merged))).toMatchObject({
      code: 'PT409',
      reason: 'mailbox_not_verified',
    })
  })

  test('refuses to merge admin accounts, accounts with unpaid orders, and an account with itself', async ({
    sql,
  }) => {
    const [kept, buyer, admin] = [await aVerifiedCustomer(sql), await aCustomer(sql), await anAdmin(sql)]
    await orderOf(sql, buyer, { lines: [popper], total: 210 })
    await sql.as(admin)

    const reasons: unknown[] = []
    for (const other of [buyer, admin, kept]) {
      reasons.push((await sql.refusal(...merging(kept, other))).reason)
    }
    expect(reasons).toEqual(['order_awaits_payment', 'client_is_admin', 'same_client'])
  })
})

describe('client search', () => {
  test('finds a client by name, e-mail, town and any phone format', async ({ sql }) => {
    const thandi = await aCustomer(sql)
    await aCustomer(sql)
    await sql.rows(
      `update public.profiles set full_name = 'Thandi Mokoena', phone = '+27821234567', city = 'Ballito', email = 'thandi.m@example.com'
       where id = $1`,
      [thandi.sub],
    )
    await sql.as(await anAdmin(sql))

    for (const term of [
      'mokoena',
      'THANDI MOK',
      'ballito',
      'andi.m@',
      'thandi.m@example.com',
      '082 123 4567',
      '27821234567',
      '8212345',
    ]) {
      const found = await sql.rows<{ id: string }>('select id from public.search_clients($1)', [term])
      expect([term, found]).toEqual([term, [{ id: thandi.sub }]])
    }
    expect(await sql.rows('select id from public.search_clients($1)', ['100%'])).toEqual([])
  })

  test('lists the newest of the clients that match first', async ({ sql }) => {
    const [old, young] = [await aCustomer(sql), await aCustomer(sql)]
    await sql.rows(
      `update public.profiles set city = 'Ballito', created_at = now() - case when id = $1 then interval '1 year' else '1 day' end
       where id in ($1, $2)`,
      [old.sub, young.sub],
    )
    await sql.as(await anAdmin(sql))

    expect(await sql.rows(`select id from public.search_clients('ballito')`)).toEqual([
      { id: young.sub },
      { id: old.sub },
    ])
  })

  test('does not let customers search for clients', async ({ sql }) => {
    await sql.as(await aCustomer(sql))

    expect((await sql.refusal('select public.search_clients($1)', ['mokoena'])).code).toBe('42501')
  })
})

describe('client list', () => {
  test('excludes staff from the client list and the client search', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const admin = await anAdmin(sql)
    await sql.as(admin)
    const ids = async (from: string) =>
      (await sql.rows<{ id: string }>(`select id from ${from}`)).map(({ id }) => id)

    await sql.asShop()
    await sql.rows(`update public.profiles set full_name = 'Thandi Mokoena' where id = any ($1)`, [
      [customer.sub, admin.sub],
    ])
    await sql.as(admin)

    const found = await Promise.all(
      [customer.email, admin.email, 'Mokoena'].map((term) => ids(`public.search_clients('${term}')`)),
    )

    expect(await ids('public.clients')).toContain(customer.sub)
    expect(await ids('public.clients')).not.toContain(admin.sub)
    expect(found).toEqual([[customer.sub], [], [customer.sub]])
  })
})
