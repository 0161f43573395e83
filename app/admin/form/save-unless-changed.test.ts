import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { saveUnlessChanged, type Versioned } from './save-unless-changed.ts'
import { latestChangeOf } from './undo.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
let brother: Person<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  brother = await shop.admin()
  browser.client = admin.client
})
afterAll(() => shop.close())

async function aPromoCode(): Promise<Versioned & { usage_limit: number }> {
  const { data } = await admin.client
    .from('promo_codes')
    .insert({
      code: `C-${crypto.randomUUID().slice(0, 8)}`,
      discount_type: 'fixed',
      discount_value: 5,
      usage_limit: 1,
    })
    .select()
    .single()
    .throwOnError()
  return data
}

async function savedCode({ id }: Versioned) {
  const { data } = await admin.client.from('promo_codes').select().eq('id', id).single().throwOnError()
  return data
}

const changeAs = ({ client }: Person<SupabaseClient>, { id }: Versioned, values: object) =>
  client.from('promo_codes').update(values).eq('id', id).throwOnError()

it('refuses to overwrite a value that a colleague has saved since the form was opened, and names the colleague', async () => {
  const seen = await aPromoCode()
  await changeAs(brother, seen, { usage_limit: 7 })
  await changeAs(admin, await aPromoCode(), { usage_limit: 8 })

  const saving = saveUnlessChanged({
    table: 'promo_codes',
    seen,
    values: { usage_limit: 3, is_active: true },
  })

  await expect(saving).rejects.toMatchObject({
    now: { usage_limit: 7 },
    message: expect.stringContaining(`${brother.email} changed this`),
  })
  expect(await savedCode(seen)).toMatchObject({ usage_limit: 7 })
})

it('names no colleague for a change that a customer has saved since the form was opened', async () => {
  const client = await shop.signUp()
  await admin.client.from('profiles').update({ city: 'Durban' }).eq('id', client.userId).throwOnError()
  const { data: seen } = await client.client.from('profiles').select().single().throwOnError()
  await client.client.from('profiles').update({ city: 'Mbotyi' }).eq('id', client.userId).throwOnError()

  await expect(saveUnlessChanged({ table: 'profiles', seen, values: { city: 'Umhlanga' } })).rejects.toThrow(
    'Someone changed this',
  )
})

it('saves a form beside a colleague’s change of another value', async () => {
  const seen = await aPromoCode()
  await changeAs(brother, seen, { is_active: false })

  await saveUnlessChanged({ table: 'promo_codes', seen, values: { usage_limit: 3 } })

  expect(await savedCode(seen)).toMatchObject({ usage_limit: 3, is_active: false })
})

it('saves a form that is sent again because its response was lost', async () => {
  const seen = await aPromoCode()
  await saveUnlessChanged({ table: 'promo_codes', seen, values: { usage_limit: 3 } })

  await saveUnlessChanged({ table: 'promo_codes', seen, values: { usage_limit: 3, is_active: false } })

  expect(await savedCode(seen)).toMatchObject({ usage_limit: 3, is_active: false })
})

it('saves a date again after a lost response although the database writes the moment differently', async () => {
  const seen = await aPromoCode()
  const values = { expires_at: '2030-12-01T08:00:00+02:00' }
  await saveUnlessChanged({ table: 'promo_codes', seen, values })

  await saveUnlessChanged({ table: 'promo_codes', seen, values })

  await expect(
    saveUnlessChanged({ table: 'promo_codes', seen, values: { expires_at: '2030-12-01T09:00:00+02:00' } }),
  ).rejects.toThrow('changed this')
})

it('does not save a form whose row was deleted meanwhile', async () => {
  const seen = await aPromoCode()
  await admin.client.from('promo_codes').delete().eq('id', seen.id).throwOnError()

  const saving = saveUnlessChanged({ table: 'promo_codes', seen, values: { usage_limit: 3 } })

  await expect(saving).rejects.toThrow('This was deleted in the meantime.')
})

it('undoes nothing when the user has changed nothing of a row', async () => {
  const untouched = await aPromoCode()
  browser.client = brother.client

  const change = latestChangeOf({ table: 'promo_codes', id: untouched.id })

  await expect(change).rejects.toThrow('Nothing was changed, so there is nothing to undo.')
  browser.client = admin.client
})
