import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPayingShop, PAYFAST_ADDRESS, type PayingShop } from '#test/paying-shop.ts'
import type { TestShop } from '#test/shop.ts'

let paying: PayingShop
let shop: TestShop
beforeAll(async () => {
  paying = await openPayingShop()
  shop = paying.shop
})
afterAll(() => paying.close())

const ID = 'proxy-7f3a'

async function requestIdsOf(template: string): Promise<unknown[]> {
  const { rows } = await shop.database.owner.query(
    'select request_id from public.mails where template = $1',
    [template],
  )
  return rows.map((row: { request_id: unknown }) => row.request_id)
}

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return shop.fetch(path, {
    method: 'POST',
    headers: {
      apikey: shop.keys.publishable,
      'content-type': 'application/json',
      'X-Request-Id': ID,
      ...headers,
    },
    body: JSON.stringify(body),
  })
}

it.each([
  '/healthz',
  '/rest/v1/products?select=id',
  '/rest/v1/nothing',
  '/auth/v1/settings',
  '/functions/v1/none',
])('names the request in the response to %s', async (path) => {
  const headers = { apikey: shop.keys.publishable }

  const own = await shop.fetch(path, { headers })
  const proxied = await shop.fetch(path, { headers: { ...headers, 'X-Request-Id': ID } })

  expect(own.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/)
  expect(proxied.headers.get('X-Request-Id')).toBe(ID)
})

it('records which request caused an e-mail, whichever service it called', async () => {
  const { email } = await shop.signUp()
  const message = { name: 'Thandi', email, subject: 'Hooks', message: 'Which hooks fit the popper?' }

  await post('/rest/v1/contact_submissions', message)
  await post('/auth/v1/recover', { email })

  expect(await requestIdsOf('contact-notification')).toEqual([ID])
  expect(await requestIdsOf('password-recovery')).toEqual([ID])
})

it('records no request for an e-mail that a job or the operator causes', async () => {
  await post('/rest/v1/contact_submissions', { name: 'S', email: 'wrong' })
  await shop.database.owner.query(
    `select private.queue_mail('request:none', 'account-closed', 'a@example.com', '{}')`,
  )

  expect(await requestIdsOf('account-closed')).toEqual([null])
})

it('names the notice’s request in the e-mails of the payment, also when PayFast confirms it later', async () => {
  const payment = await paying.aPayment()
  paying.payfast.behaviour = 'outage'

  await shop.fetch('/payments/payfast/notice', {
    method: 'POST',
    body: paying.bodyFor(payment),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Forwarded-For': PAYFAST_ADDRESS,
      'X-Request-Id': 'notice-1',
    },
  })
  await shop.runJobs()
  expect(await requestIdsOf('order-confirmation')).toEqual([])
  paying.payfast.behaviour = 'valid'
  await paying.laterJobs()

  expect(await requestIdsOf('order-confirmation')).toEqual(['notice-1'])
})
