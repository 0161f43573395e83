/** The attack: strangers who reach the payment simulator mark any order as paid and get the goods for free. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidSettings } from '@saltfreak/backend'
import { encodeParameters, signParameters } from '#payments/payfast/signature.ts'
import { parseSettings } from '#server/settings.ts'
import { aBuyer, placeOrder } from '#test/buyer.ts'
import { openShop, type TestShop } from '#test/shop.ts'

const PUBLIC = [
  { PUBLIC_URL: 'https://shop.example', PAYFAST_MODE: 'simulator' },
  { PUBLIC_URL: 'http://192.168.1.20:3000', PAYFAST_MODE: 'simulator' },
  { HOST: '0.0.0.0', PAYFAST_MODE: 'simulator' },
  { HOST: '::', PAYFAST_MODE: 'simulator' },
]

it.each(PUBLIC)('rejects the payment simulator with %o, and explains the solution in one line', (env) => {
  expect(() => parseSettings(env, '.')).toThrow(InvalidSettings)
  expect(() => parseSettings(env, '.')).toThrow(/^[^\n]*ALLOW_FREE_ORDERS_WITH_SIMULATOR=true[^\n]*$/)
})

it.each([{ HOST: '0.0.0.0' }, { HOST: '192.168.1.20' }])(
  'does not choose the payment simulator by default when other machines can connect: %o',
  (env) => {
    expect(() => parseSettings(env, '.')).toThrow(/^PAYFAST_MODE must be simulator/)
  },
)

it.each(PUBLIC)('starts the payment simulator on explicit request: %o', (env) => {
  const settings = parseSettings({ ...env, ALLOW_FREE_ORDERS_WITH_SIMULATOR: 'yes' }, '.')

  expect(settings).toMatchObject({ isLocal: false, givesOrdersAway: true, payfast: { mode: 'simulator' } })
})

describe('a shop for the local machine only', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())

  const CALLS = [
    ['POST', '/simulator/eng/process', 400],
    ['GET', `/simulator/eng/process/payment/${crypto.randomUUID()}`, 404],
    ['POST', '/simulator/eng/query/validate', 200],
  ] as const

  it.each(CALLS)(
    'answers the simulator request %s %s from the same machine with %i',
    async (method, path, status) => {
      const answer = await shop.fetch(path, { method })

      expect(answer.status).toBe(status)
      expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    },
  )

  it.each(CALLS)('hides the simulator route %s %s from callers behind a proxy', async (method, path) => {
    const answer = await shop.fetch(path, { method, headers: { 'X-Forwarded-For': '203.0.113.9' } })

    expect(answer.status).toBe(404)
    expect(answer.headers.get('Content-Security-Policy')).toBeNull()
  })

  it('signs the simulator’s payments with a passphrase that outsiders cannot derive', async () => {
    const order = await placeOrder(shop.database, await aBuyer(shop.database))
    const body = { orderId: order.id, amount: order.total_amount }
    const { data } = await shop.serviceClient().functions.invoke('generate-payfast-payment', { body })
    const { signature, ...fields } = data.paymentData
    const signedWith = (key: string) => {
      const passphrase = createHmac('sha256', key).update('payment simulator').digest('hex').slice(0, 32)
      return signParameters(encodeParameters(Object.entries(fields)), passphrase)
    }

    expect(signature).toBe(signedWith(shop.keys.secret))
    expect(signature).not.toBe(signedWith(shop.keys.publishable))
  })

  it('hides the payment simulator from requests for another host name', async () => {
    const answer = await shop.fetch(
      new Request('http://shop.example/simulator/eng/process', { method: 'POST' }),
    )

    expect(answer.status).toBe(404)
  })
})
