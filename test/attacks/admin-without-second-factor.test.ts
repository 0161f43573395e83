import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSecondFactorOptional, createFirstAdmin } from '#server/admins.ts'
import { syncPublicAddress } from '#server/public-address.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { totpCode } from '@saltfreak/backend/testing'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ publicUrl: 'https://shop.example', isLocal: false })
  await syncPublicAddress(shop.database.owner, shop.settings)
})
afterAll(() => shop.close())

async function firstAdmin() {
  const made = await createFirstAdmin(shop.database.owner, 'admin@shop.example')
  if (!made) throw new Error('there is an admin already')
  const client = shop.client()
  await client.auth.signInWithPassword(made)
  return client
}

it('denies admin rights without a second factor on a public address by default', async () => {
  const client = await firstAdmin()
  const money = async () => (await client.rpc('total_revenue')).error?.code ?? 'open'

  expect(await money()).toBe('42501')
  expect((await client.from('promo_codes').select('code')).data).toEqual([])
  expect((await client.rpc('must_add_second_factor')).data).toBe(true)
  expect(
    (await client.from('shop_settings').update({ requires_second_factor: false }).eq('id', 'shop').select())
      .data,
  ).toEqual([])

  await makeSecondFactorOptional(shop.database.owner)
  expect(await money()).toBe('open')
  expect((await client.rpc('second_factor_rule')).data).toEqual({
    is_required: false,
    is_public_address: true,
  })
  await shop.database.owner.query('update public.shop_settings set requires_second_factor = null')

  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' })
  await client.auth.mfa.challengeAndVerify({
    factorId: data?.id ?? '',
    code: totpCode(data?.totp.secret ?? ''),
  })
  expect(await money()).toBe('open')
  expect((await client.rpc('must_add_second_factor')).data).toBe(false)
})

it('does not require a second factor from admins by default on a loopback address', async () => {
  const local = await openShop()
  try {
    await syncPublicAddress(local.database.owner, local.settings)
    const admin = await local.admin()

    expect((await admin.client.rpc('total_revenue')).error).toBeNull()
  } finally {
    await local.close()
  }
})
