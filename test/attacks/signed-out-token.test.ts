import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
afterEach(() => vi.useRealTimers())

/** Sends the thief's copy of the token directly, because the client clears it on sign-out. */
async function tokenOf({ client }: Person) {
  const { data } = await client.auth.getSession()
  const token = data.session?.access_token ?? ''
  return (path: string, init: RequestInit = {}) =>
    shop.fetch(path, {
      ...init,
      headers: {
        apikey: shop.keys.publishable,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
    })
}

it('rejects an admin’s token in tables, procedures and functions from the first call after the sign-out', async () => {
  const admin = await shop.admin()
  const call = await tokenOf(admin)
  expect((await call('/rest/v1/rpc/total_revenue', { method: 'POST', body: '{}' })).status).toBe(200)
  expect((await call('/functions/v1/show-settings', { method: 'POST', body: '{}' })).status).toBe(200)

  await admin.client.auth.signOut()

  expect((await call('/rest/v1/rpc/total_revenue', { method: 'POST', body: '{}' })).status).toBe(403)
  expect((await call('/functions/v1/show-settings', { method: 'POST', body: '{}' })).status).toBe(403)
  const orders = await call('/rest/v1/promo_codes?select=code')
  expect(orders.ok ? await orders.json() : []).toEqual([])
})

it('rejects an admin’s token immediately when another session ends the admin’s session', async () => {
  const admin = await shop.admin()
  const call = await tokenOf(admin)
  await call('/rest/v1/rpc/total_revenue', { method: 'POST', body: '{}' })

  await shop.database.owner.query('delete from auth.sessions where user_id = $1', [admin.userId])

  expect((await call('/rest/v1/rpc/total_revenue', { method: 'POST', body: '{}' })).status).toBe(403)
})

it('rejects the token of a banned account immediately in tables, procedures and functions', async () => {
  const admin = await shop.admin()
  const call = await tokenOf(admin)
  const statuses = async () => [
    (await call('/rest/v1/rpc/total_revenue', { method: 'POST', body: '{}' })).status,
    (await call('/functions/v1/show-settings', { method: 'POST', body: '{}' })).status,
  ]
  const profile = `/rest/v1/profiles?select=email&id=eq.${admin.userId}`
  expect(await statuses()).toEqual([200, 200])
  expect(await (await call(profile)).json()).toHaveLength(1)

  await shop.serviceClient().auth.admin.updateUserById(admin.userId, { ban_duration: '1h' })

  expect(await statuses()).toEqual([403, 403])
  expect(await (await call(profile)).json()).toEqual([])
})

it.each(['/rest/v1/orders?select=id', '/storage/v1/object/authenticated/gallery-private/x.jpg'])(
  'rejects a customer’s token at %s within a minute of the sign-out',
  async (path) => {
    const customer = await shop.signUp()
    const call = await tokenOf(customer)
    const before = await (await call(path)).text()
    await customer.client.auth.signOut()

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 })

    const after = await call(path)
    expect([400, 401, 403]).toContain(after.status)
    expect(await after.text()).not.toBe(before)
  },
)

it('rejects a customer’s token at a server function within a minute of the sign-out', async () => {
  const customer = await shop.signUp()
  const call = await tokenOf(customer)
  const ask = () =>
    call('/functions/v1/update-order-status', {
      method: 'POST',
      body: JSON.stringify({ orderId: crypto.randomUUID() }),
    })
  expect((await ask()).status).toBe(404)
  await customer.client.auth.signOut()

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 })

  expect((await ask()).status).toBe(401)
})
