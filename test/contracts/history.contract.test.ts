import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HISTORY } from '#app/admin/history/change-list.ts'
import { fieldName, singularName } from '#app/admin/history/change-words.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop
let admin: Person
let buyer: Person
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  buyer = await shop.signUp()
  await admin.client.from('promo_codes').update({ discount_value: 6 }).eq('code', '5OFFFIRST')
})
afterAll(() => shop.close())

async function revokedAdmin(): Promise<SupabaseClient> {
  const former = await shop.admin()
  await shop.database.owner.query(`delete from public.user_roles where user_id = $1 and role = 'admin'`, [
    former.userId,
  ])
  return former.client
}

async function newestEntry() {
  const { data, error } = await admin.client
    .from('history')
    .select('*', { count: 'exact' })
    .eq('table_name', 'promo_codes')
    .gte('changed_at', '2020-01-01 00:00 Africa/Johannesburg')
    .order('id', { ascending: false })
    .range(0, 0)
    .single()
  if (error) throw error
  return data
}

// covers A36
it('shows an admin the person and device of a change, and undoes the change', async () => {
  const entry = await newestEntry()
  expect(entry).toMatchObject({
    actor_name: admin.email,
    row_name: '5OFFFIRST',
    before: { discount_value: 5 },
    after: { discount_value: 6 },
    can_undo: true,
    device: { address: expect.any(String) },
  })

  const found = await admin.client.rpc('my_last_change', { table_name: 'promo_codes', row_id: entry.row_id })
  expect(found.data).toBe(entry.id)
  const { error } = await admin.client.rpc('undo_change', { change_id: entry.id })

  expect(error).toBeNull()
  const { data } = await admin.client.from('promo_codes').select('discount_value').eq('code', '5OFFFIRST')
  expect(data).toEqual([{ discount_value: 5 }])
})

it('names the rows of every table that the history records', async () => {
  const { rows: recorded } = await shop.database.owner.query<{ table_name: string }>(
    `select replace(table_name::text, 'public.', '') as table_name from private.history_tables`,
  )
  const tables = recorded.map(({ table_name }) => table_name)

  expect(tables).toContain('orders')
  expect(tables.filter((table) => singularName(table) === fieldName(table))).toEqual([])
})

const rows = async (filters: Record<string, string>) => {
  const { data } = await HISTORY.buildQuery(admin.client, { search: '', filters }).retry(false)
  return new Set(data?.map(({ row_name }) => row_name))
}

it('lists the changes by a person, to a table, to a row and on a day of the shop', async () => {
  const entry = await newestEntry()
  const other = await shop.admin()
  await other.client.from('promo_codes').insert({ code: 'OTHER', discount_type: 'fixed', discount_value: 5 })
  await other.client.from('courier_companies').insert({ name: 'Kite Couriers' })
  const changedAt = Date.parse(entry.changed_at)
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Johannesburg' })
  const [changedOn, dayBefore] = [days.format(changedAt), days.format(changedAt - 86_400_000)]

  expect(await rows({ who: other.userId })).toEqual(new Set(['OTHER', 'Kite Couriers']))
  expect(await rows({ who: other.userId, thing: 'promo_codes' })).toEqual(new Set(['OTHER']))
  expect(await rows({ row: entry.row_id })).toEqual(new Set(['5OFFFIRST']))
  expect(await rows({ row: entry.row_id, from: changedOn, to: changedOn })).toEqual(new Set(['5OFFFIRST']))
  expect(await rows({ row: entry.row_id, to: dayBefore })).toEqual(new Set())
})

it('lists the shop’s staff for an admin', async () => {
  const { data } = await admin.client.rpc('list_staff')

  expect(data).toContainEqual({
    id: admin.userId,
    name: admin.email,
    email: admin.email,
    role: 'admin',
    since: expect.any(String),
    has_second_factor: false,
  })
})

const PEOPLE: Record<string, () => Promise<SupabaseClient>> = {
  'a visitor': async () => shop.client(),
  'a customer': async () => buyer.client,
  'a revoked admin': revokedAdmin,
}

describe.each(Object.entries(PEOPLE))('%s', (_person, signIn) => {
  it.each(['changes', 'history'])('does not let non-admins read the table %s', async (table) => {
    const { data } = await (await signIn()).from(table).select('*')

    expect(data ?? []).toEqual([])
  })

  it.each([
    ['undo_change', { change_id: 1 }],
    ['list_staff', {}],
    ['grant_role', { email: 'nobody@example.com', role: 'packer' }],
    ['revoke_role', { account: '00000000-0000-4000-8000-000000000000' }],
    ['my_last_change', { table_name: 'promo_codes', row_id: '1' }],
  ])('does not let non-admins call the history function %s', async (name, given) => {
    const { error } = await (await signIn()).rpc(name, given)

    expect(error?.code).toBe('42501')
  })

  it('does not let non-admins change the recorded history', async () => {
    const client = await signIn()

    const answers = await Promise.all([
      client.from('changes').insert({ table_name: 'orders' }),
      client.from('changes').update({ actor: 'server' }).gt('id', 0),
      client.from('changes').delete().gt('id', 0),
    ])

    expect(answers.map(({ error }) => error?.code)).toEqual(['42501', '42501', '42501'])
  })
})
