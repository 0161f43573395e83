import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { PayfastAccount } from './account.ts'
import { fetchRefundBalance, requestRefund } from './refunds-api.ts'

let server: Server
let account: PayfastAccount
/** What PayFast answers, and what it was sent. */
let answer: { status: number; body: unknown; location?: string }
let sent: { path: string | undefined; form: Record<string, string>; headers: IncomingHttpHeaders }

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    sent = { path: request.url, form, headers: request.headers }
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status, answer.location ? { Location: answer.location } : {}).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const urls = { processUrl: apiUrl, validateUrl: apiUrl, apiUrl }
  account = { mode: 'live', merchantId: '10012345', merchantKey: 'key', passphrase: 'salt', ...urls }
})
afterAll(() => server.close())

const REFUNDABLE = {
  amount_available_for_refund: 240_00,
  status: 'REFUNDABLE',
  errors: [],
  refund_full: { method: 'PAYMENT_SOURCE' },
  refund_partial: { method: 'PAYMENT_SOURCE' },
}

async function canRefund(amountCents: number, balance: object): Promise<boolean> {
  answer = { status: 200, body: { ...REFUNDABLE, ...balance } }
  const known = await fetchRefundBalance(account, '1089250')
  if (known.is !== 'known') throw new Error(known.message)
  return known.canRefund(amountCents)
}

it('refunds any amount up to the balance through PayFast', async () => {
  expect(await canRefund(240_00, {})).toBe(true)
  expect(await canRefund(1, {})).toBe(true)
  expect(await canRefund(240_01, {})).toBe(false)
})

it.each(['COMPLETED', 'NOT_AVAILABLE'])('refunds nothing from a balance that is %s', async (status) => {
  expect(await canRefund(240_00, { status })).toBe(false)
})

it('refunds by hand what PayFast would pay to a bank account', async () => {
  const partialByBank = { refund_partial: { method: 'BANK_PAYOUT' } }
  const fullByBank = { refund_full: { method: 'BANK_PAYOUT' } }

  expect(await canRefund(240_00, partialByBank)).toBe(true)
  expect(await canRefund(100_00, partialByBank)).toBe(false)
  expect(await canRefund(240_00, fullByBank)).toBe(false)
  expect(await canRefund(100_00, fullByBank)).toBe(true)
})

it('reads a balance that PayFast wraps in a response', async () => {
  answer = { status: 200, body: { data: { response: REFUNDABLE } } }

  expect(await fetchRefundBalance(account, '1089250')).toMatchObject({ is: 'known', availableCents: 240_00 })
})

it('sends the refund in cents, and leaves the e-mail to the shop', async () => {
  answer = { status: 200, body: { status: 'success', data: { response: true } } }

  await requestRefund(account, { paymentId: '1089250', amountCents: 100_50, reason: 'Bent hook' })

  expect(sent).toMatchObject({
    path: '/refunds/1089250',
    form: { amount: '10050', reason: 'Bent hook', notify_buyer: '0' },
  })
})

it('names merchant, version and time in the form that PayFast signs', async () => {
  answer = { status: 200, body: REFUNDABLE }

  await fetchRefundBalance(account, '1089250')

  expect(sent.headers).toMatchObject({
    'merchant-id': '10012345',
    version: 'v1',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    signature: expect.stringMatching(/^[\da-f]{32}$/),
  })
})

it('marks calls of a sandbox account, and only those', async () => {
  answer = { status: 200, body: REFUNDABLE }

  await fetchRefundBalance({ ...account, mode: 'sandbox' }, '1089250')
  expect(sent.path).toBe('/refunds/query/1089250?testing=true')

  await fetchRefundBalance(account, '1089250')
  expect(sent.path).toBe('/refunds/query/1089250')
})

const failed = { status: 'failed', data: { response: false, message: 'Not enough funds.' } }

it.each([
  [200, { status: 'success', data: { response: true, message: 'Done' } }, 'accepted'],
  [200, { status: 'success', data: { response: false } }, 'unclear'],
  [200, failed, 'refused'],
  [400, failed, 'refused'],
  [401, failed, 'refused'],
  // The refund may have been sent before the error.
  [500, failed, 'unclear'],
  [502, '<html>Bad gateway</html>', 'unclear'],
  // A firewall's page is not PayFast's word.
  [400, '<html>Forbidden</html>', 'unclear'],
  [202, { status: 'success', data: { response: true } }, 'unclear'],
])('takes the status %i with %j as %s', async (status, body, is) => {
  answer = { status, body }

  const result = await requestRefund(account, { paymentId: '1089250', amountCents: 100, reason: 'x' })

  expect(result.is).toBe(is)
})

it.each([302, 307])(
  'sends a refund to no other address that an answer with the status %i names',
  async (status) => {
    answer = { status, body: '', location: '/elsewhere' }

    const result = await requestRefund(account, { paymentId: '1089250', amountCents: 100, reason: 'x' })

    expect([sent.path, result.is]).toEqual(['/refunds/1089250', 'unclear'])
  },
)

it('repeats PayFast’s reason for a refusal', async () => {
  answer = { status: 400, body: failed }

  const refused = await requestRefund(account, { paymentId: '1', amountCents: 100, reason: 'x' })
  const unknown = await fetchRefundBalance(account, '1')

  expect([refused, unknown]).toEqual([
    { is: 'refused', message: 'HTTP 400: Not enough funds.' },
    { is: 'refused', message: 'HTTP 400: Not enough funds.' },
  ])
})

it('knows nothing of a refund whose connection is lost', async () => {
  const nowhere = { ...account, apiUrl: 'http://127.0.0.1:1' }

  expect(await requestRefund(nowhere, { paymentId: '1', amountCents: 100, reason: 'x' })).toMatchObject({
    is: 'unclear',
  })
  expect(await fetchRefundBalance(nowhere, '1')).toMatchObject({ is: 'unclear' })
})
