import { describe, expect } from 'vitest'
import { aCustomer, anAdmin, aPromoCode, orderOf, popper } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

/** Tables without history, with the reason. */
const NOT_RECORDED: Record<string, string> = {
  cart_items: 'the customer’s cart',
  changes: 'the log itself',
  client_notes: 'append only, with author and time',
  gallery_reviews: 'a ledger of its own, with who and why',
  list_settings: 'a personal setting of a list',
  mails: 'append only; the timeline of the order records resent mails',
  marketing_consents: 'a ledger of its own',
  order_events: 'the timeline itself',
  payment_acceptances: 'part of the ledger, with who and when',
  payment_attempts: 'part of the ledger',
  payment_issue_resolutions: 'part of the ledger, with who, when and why',
  payment_issues: 'part of the ledger',
  payment_notice_checks: 'part of the ledger',
  payment_notice_outcomes: 'part of the ledger',
  payment_notices: 'part of the ledger',
  payment_reconciliations: 'part of the ledger',
  payment_refund_events: 'part of the ledger, with who and when',
  payment_refund_items: 'part of the ledger, with its refund',
  payment_refunds: 'part of the ledger, with who, when and why',
  payment_top_ups: 'part of the ledger, with who and when',
  payment_withdrawals: 'part of the ledger, with who, when and why',
  payments: 'part of the ledger',
  promo_redemptions: 'follows from orders',
  saved_views: 'a personal setting of a list',
  stock_alerts: 'a request of the customer’s',
  stock_movements: 'a ledger of its own, with who and why',
  stock_reservations: 'follows from orders',
}

interface Entry {
  id: string
  actor_id: string | null
  actor: string
  table_name: string
  verb: string
  row_label: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  withheld: string[]
  personal: string[]
  undoes: string | null
  can_undo: boolean
}

function newest(sql: TestTransaction, table: string): Promise<Entry> {
  return sql.row<Entry>('select * from public.history where table_name = $1 order by id desc limit 1', [
    table,
  ])
}

/** Changes the code TENNER from 10 to 20 as an admin. */
async function aChangedCode(sql: TestTransaction) {
  await aPromoCode(sql, { code: 'TENNER', discount_type: 'fixed', discount_value: 10 })
  const admin = await anAdmin(sql)
  await sql.as(admin)
  await sql.rows(`update public.promo_codes set discount_value = 20 where code = 'TENNER'`)
  const entry = await newest(sql, 'promo_codes')
  return { admin, entry }
}

const undo = (entry: Entry) => `select public.undo_change(${entry.id})`
const valueOf = (sql: TestTransaction) =>
  sql.value<string>(`select discount_value from public.promo_codes where code = 'TENNER'`)

describe('audit log', () => {
  test('audits every table that has no documented exception', async ({ sql }) => {
    const tables = await sql.rows<{ name: string; is_recorded: boolean }>(
      `select c.relname as name, exists (
         select from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = c.oid and p.proname = 'record_change') as is_recorded
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
    )

    const left = tables.filter(({ is_recorded }) => !is_recorded).map(({ name }) => name)

    expect(left).toEqual(Object.keys(NOT_RECORDED))
  })

  // covers A36
  test('records who made a change, and the old and new values', async ({ sql }) => {
    const { admin, entry } = await aChangedCode(sql)

    expect(entry).toMatchObject({
      actor_id: admin.sub,
      actor: 'admin',
      verb: 'update',
      row_label: 'TENNER',
      before: { discount_value: 10 },
      after: { discount_value: 20 },
    })
  })

  test('records added and deleted rows in the audit log', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    await sql.rows(
      `insert into public.promo_codes (code, discount_type, discount_value) values ('NEW', 'fixed', 1)`,
    )
    const added = await newest(sql, 'promo_codes')
    await sql.rows(`delete from public.promo_codes where code = 'NEW'`)
    const removed = await newest(sql, 'promo_codes')

    expect(added).toMatchObject({ verb: 'insert', before: null, after: { code: 'NEW', discount_value: 1 } })
    expect(removed).toMatchObject({ verb: 'delete', after: null, before: { code: 'NEW' } })
  })

  test('does not audit saves without changes, or changes by customers and jobs', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.as(customer)
    await sql.rows(`update public.profiles set city = 'Durban' where id = $1`, [customer.sub])
    await sql.asShop()
    await sql.rows(`update public.products set description = 'By a job'`)
    await sql.as(await anAdminAfter(sql))
    await sql.rows(`update public.products set description = description`)

    expect(await sql.rows(`select from public.history where table_name in ('profiles', 'products')`)).toEqual(
      [],
    )
  })

  test('records a person’s stock change, not the recalculated total of the product', async ({ sql }) => {
    const { variant_id } = await sql.row<{ variant_id: string }>(
      `select id as variant_id from public.product_variants order by id limit 1`,
    )
    await sql.as(await anAdmin(sql))
    await sql.rows(`update public.product_variants set stock_quantity = 41 where id = $1`, [variant_id])
    await sql.asShop()
    await sql.rows(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ role: 'service_role' }),
    ])
    await sql.rows(`select private.move_stock($1, -2, 'sold', gen_random_uuid())`, [variant_id])

    const told = await sql.rows(
      `select table_name, after from public.history where table_name in ('products', 'product_variants')`,
    )

    expect(told).toEqual([{ table_name: 'product_variants', after: { stock_quantity: 41 } }])
  })

  test('records changes by the secret key and by commands on the server', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.as('service_role')
    await sql.rows(`update public.products set description = 'By a script' where name = $1`, [
      popper.product_name,
    ])
    await sql.asShop()

    expect(await newest(sql, 'products')).toMatchObject({ actor: 'secret key', actor_id: null })
    expect(await newest(sql, 'user_roles')).toMatchObject({ actor: 'server', after: { user_id: admin.sub } })
  })

  test.for(['admin', 'service_role', 'shop'])(
    'does not let the %s change the audit log',
    async (who, { sql }) => {
      const { admin } = await aChangedCode(sql)
      if (who === 'shop') await sql.asShop()
      else await sql.as(who === 'admin' ? admin : 'service_role')

      for (const statement of [
        `update public.changes set after = '{}'`,
        `update public.changes set actor_id = null, forgotten_at = now()`,
        `update public.changes set before = before - personal, after = '{}', forgotten_at = now()`,
        `update public.changes set before = '{}', after = after - personal, forgotten_at = now()`,
        'delete from public.changes',
        'truncate public.changes',
      ]) {
        expect(await sql.refusal(statement)).toMatchObject({ code: '42501' })
      }
    },
  )
})

async function anAdminAfter(sql: TestTransaction) {
  await sql.asShop()
  return anAdmin(sql)
}

async function aMovedClient(sql: TestTransaction) {
  const client = await aCustomer(sql)
  await sql.as(await anAdmin(sql))
  await sql.rows(`update public.profiles set city = 'Durban', phone = '082 123 4567' where id = $1`, [
    client.sub,
  ])
  return client
}

describe('personal values', () => {
  test('empties an account’s personal values in the audit log when the account is closed', async ({
    sql,
  }) => {
    const client = await aMovedClient(sql)
    expect((await newest(sql, 'profiles')).after).toEqual({ city: 'Durban', phone: '082 123 4567' })

    await sql.as({ ...client, aal: 'aal1', amr: [{ method: 'password', timestamp: Date.now() }] })
    await sql.rows('select public.close_account()')
    await sql.asShop()

    expect(await newest(sql, 'profiles')).toMatchObject({
      before: {},
      after: {},
      personal: ['city', 'phone'],
      can_undo: false,
    })
  })

  test('records no personal values of an account that an admin erases', async ({ sql }) => {
    const client = await aMovedClient(sql)

    await sql.rows('select public.erase_client($1)', [client.sub])

    const entry = await newest(sql, 'profiles')
    expect(entry).toMatchObject({ verb: 'delete', withheld: ['city', 'email', 'phone'], personal: [] })
    expect(JSON.stringify(entry.before)).not.toMatch(/Durban|082 123 4567|@example/)
  })

  test('empties only personal values in the audit log after thirty days', async ({ sql }) => {
    await aMovedClient(sql)
    await sql.rows(`update public.promo_codes set discount_value = 6`)
    await sql.asShop()
    const inThePast = `alter table public.changes disable trigger forbid_history_change; update public.changes set changed_at = now() - interval '31 days';
      alter table public.changes enable trigger forbid_history_change`
    await sql.rows(inThePast)

    await sql.rows('select private.delete_old_changes()')

    expect((await newest(sql, 'profiles')).after).toEqual({})
    expect((await newest(sql, 'promo_codes')).after).toEqual({ discount_value: 6 })
  })

  test('stores no personal values of orders in the audit log', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    await sql.rows(
      `select public.change_delivery($1, '{}', '{"shipping_city": "Umhlanga", "customer_phone": "0831234567"}')`,
      [order.id],
    )

    const { before, after, withheld } = await newest(sql, 'orders')
    expect({ before, after }).toEqual({ before: {}, after: {} })
    expect(withheld).toEqual(expect.arrayContaining(['customer_phone', 'shipping_city']))
  })
})

describe('undo', () => {
  // covers A34
  test('undoes a change by restoring the old values, and records the undo', async ({ sql }) => {
    const { entry } = await aChangedCode(sql)

    await sql.rows(undo(entry))

    expect(await valueOf(sql)).toBe('10.00')
    expect(await newest(sql, 'promo_codes')).toMatchObject({
      undoes: entry.id,
      after: { discount_value: 10 },
    })
    expect(await sql.refusal(undo(entry))).toMatchObject({ code: 'PT409', reason: 'already_undone' })
  })

  test('undoes an undo in the audit log', async ({ sql }) => {
    await sql.rows(undo((await aChangedCode(sql)).entry))

    await sql.rows(undo(await newest(sql, 'promo_codes')))

    expect(await valueOf(sql)).toBe('20.00')
  })

  test('refuses to undo an outdated change and names the person who changed the row later', async ({
    sql,
  }) => {
    const { entry } = await aChangedCode(sql)
    await sql.asShop()
    const brother = await anAdmin(sql)
    await sql.as(brother)
    await sql.rows(`update public.promo_codes set discount_value = 30 where code = 'TENNER'`)

    const refusal = await sql.refusal(undo(entry))

    expect(refusal).toMatchObject({ code: 'PT409', reason: 'changed_since' })
    expect(refusal.facts).toMatchObject({ by: brother.email })
    expect(await valueOf(sql)).toBe('30.00')
  })

  test.for<[string, string[]]>([
    ['a later picture', ['1', '2', '4']],
    ['a later order of the pictures', ['2', '1']],
  ])('refuses to undo a change of pictures over %s', async ([, later], { sql }) => {
    const show = (names: string[]) =>
      sql.rows(
        `update public.products set images = (
           select jsonb_agg(jsonb_build_object('url', '/images/' || name || '.jpg', 'alt', name)) from unnest($1::text[]) name)
         where name = $2`,
        [names, popper.product_name],
      )
    await sql.as(await anAdmin(sql))
    await show(['1', '2', '3'])
    await show(['1', '2'])
    const entry = await newest(sql, 'products')
    await show(later)

    expect(await sql.refusal(undo(entry))).toMatchObject({ reason: 'changed_since' })
  })

  test('keeps later changes to other columns when a change is undone', async ({ sql }) => {
    const { entry } = await aChangedCode(sql)
    await sql.rows(`update public.promo_codes set is_active = false where code = 'TENNER'`)

    await sql.rows(undo(entry))

    expect(
      await sql.row(`select discount_value, is_active from public.promo_codes where code = 'TENNER'`),
    ).toEqual({ discount_value: '10.00', is_active: false })
  })

  test('restores a deleted promo code that was never used', async ({ sql }) => {
    const { admin } = await aChangedCode(sql)
    await sql.rows(`delete from public.promo_codes where code = 'TENNER'`)
    await sql.rows(undo(await newest(sql, 'promo_codes')))
    expect(await valueOf(sql)).toBe('20.00')

    await sql.asShop()
    await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 190, promo: 'TENNER' })
    await sql.as(admin)
    await sql.rows(`delete from public.promo_codes where code = 'TENNER'`)
    const used = await newest(sql, 'promo_codes')

    expect(used.can_undo).toBe(false)
    expect(await sql.refusal(undo(used))).toMatchObject({ reason: 'not_reversible' })
  })

  test('refuses to undo a courier that an order uses', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(`insert into public.courier_companies (name) values ('Bakkie')`)
    const added = await newest(sql, 'courier_companies')
    await sql.rows(
      `update public.orders set courier_company_id = (select id from public.courier_companies where name = 'Bakkie') where id = $1`,
      [order.id],
    )

    expect(await sql.refusal(undo(added))).toMatchObject({ code: 'PT409', reason: 'in_use' })
  })

  test('refuses to undo stock counts and order statuses', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])
    await sql.rows(`update public.product_variants set stock_quantity = 77 where name = $1`, [
      popper.product_variant,
    ])

    for (const table of ['orders', 'product_variants']) {
      const entry = await newest(sql, table)
      expect(entry.can_undo).toBe(false)
      expect(await sql.refusal(undo(entry))).toMatchObject({ reason: 'not_reversible' })
    }
  })
})
