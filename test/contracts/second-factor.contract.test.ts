import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('rejects server function calls of an admin without the second factor', async () => {
  const { client, userId } = await shop.admin()
  const mail = () =>
    client.functions.invoke('send-admin-email', {
      body: { to: 'thandi@example.com', subject: 'Your lure', message: 'It is painted.' },
    })
  const before = await mail()
  await shop.database.owner.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified', 'x', now(), now())`,
    [userId],
  )
  const after = await mail()

  const codes = await Promise.all([before, after].map(async ({ response }) => (await response?.json())?.code))
  expect(codes).not.toContain(undefined)
  expect(codes[0]).not.toBe('not_staff')
  expect(codes[1]).toBe('not_staff')
})
