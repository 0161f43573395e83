import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe('the API', () => {
  it('reports in the health checks that the process is alive and ready', async () => {
    const alive = await shop.fetch('/healthz')
    const ready = await shop.fetch('/readyz')

    expect([alive.status, ready.status]).toEqual([200, 200])
  })

  it('shows the catalogue to a visitor', async () => {
    const { data, error } = await shop.client().from('products').select('slug, price').order('position')

    expect(error).toBeNull()
    expect(data?.length).toBeGreaterThan(2)
  })

  it('shows admins all profiles, but customers only the customer’s own profile', async () => {
    const customer = await shop.signUp()
    const admin = await shop.admin()

    const seenByCustomer = await customer.client.from('profiles').select('id')
    const seenByAdmin = await admin.client.from('profiles').select('id')

    expect(seenByCustomer.data).toEqual([{ id: customer.userId }])
    expect(seenByAdmin.data?.length).toBe(2)
  })

  it('rejects requests without a valid API key', async () => {
    const responses = await Promise.all([
      shop.fetch('/rest/v1/products'),
      shop.fetch('/auth/v1/user', { headers: { apikey: 'sb_publishable_guessed' } }),
      shop.fetch('/functions/v1/update-order-status', { method: 'POST' }),
    ])

    expect(responses.map((response) => response.status)).toEqual([401, 401, 401])
  })

  it('publishes the public signing keys without authentication', async () => {
    const response = await shop.fetch('/auth/v1/.well-known/jwks.json')

    expect(await response.json()).toMatchObject({ keys: [{ alg: 'ES256' }] })
  })

  it('allows a CORS preflight request from another origin', async () => {
    const response = await shop.fetch('/auth/v1/signup', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://other.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'apikey, content-type',
      },
    })

    expect(response.status).toBe(204)
    expect(response.headers.get('Access-Control-Allow-Headers')).toContain('apikey')
  })
})
