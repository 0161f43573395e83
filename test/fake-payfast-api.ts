import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import { signApiCall } from '#payments/payfast/signature.ts'

/** How the API handles a refund. With some, the caller cannot know whether the money moved. */
type RefundBehaviour =
  | 'succeeds'
  | 'rejects'
  | 'succeeds without a response'
  | 'connection lost'
  | 'blocked by firewall'
  | 'requires a bank account'

interface FakeRefund {
  paymentId: string
  amountCents: number
  reason: string
}

/** PayFast's REST API. It accepts calls whose headers, query and body are signed with the passphrase. */
export interface FakeApi {
  /** The transaction history; null rejects the caller. */
  history: string | null
  calls: { path: string; query: Record<string, string>; isSigned: boolean }[]
  refunds: RefundBehaviour
  /** The refundable cents of each payment. */
  balances: Map<string, number>
  completedRefunds: FakeRefund[]
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export function fakeApi(passphrase: string): FakeApi {
  const api: FakeApi = {
    history: '',
    calls: [],
    refunds: 'succeeds',
    balances: new Map(),
    completedRefunds: [],
    async answer(request, response) {
      const url = new URL(request.url ?? '', 'http://payfast.test')
      const body = new URLSearchParams(await text(request))
      const isSigned = request.headers.signature === signatureFor(request, [...url.searchParams, ...body])
      api.calls.push({ path: url.pathname, query: Object.fromEntries(url.searchParams), isSigned })
      if (!isSigned) return failed(response, 401, 'Merchant authorization failed.')

      const [, paymentId = ''] = /^\/refunds\/(?:query\/)?([^/]+)$/.exec(url.pathname) ?? []
      if (paymentId && request.method === 'POST') return requestRefund(api, response, { paymentId, body })
      if (paymentId) return sendBalance(api, response, paymentId)
      if (api.history === null) return failed(response, 401, 'Merchant authorization failed.')
      response.writeHead(200, { 'Content-Type': 'text/csv' }).end(api.history)
    },
  }
  return api

  function signatureFor(request: IncomingMessage, variables: [string, string][]): string {
    const headers = ['merchant-id', 'version', 'timestamp'].map((name) => [
      name,
      String(request.headers[name]),
    ])
    return signApiCall(Object.fromEntries([...headers, ...variables]), passphrase)
  }
}

function sendBalance(api: FakeApi, response: ServerResponse, paymentId: string): void {
  const available = api.balances.get(paymentId)
  if (api.refunds === 'blocked by firewall') return blocked(response)
  if (available === undefined) return failed(response, 404, 'Payment not found')
  const method = api.refunds === 'requires a bank account' ? 'BANK_PAYOUT' : 'PAYMENT_SOURCE'
  json(response, 200, {
    amount_original: available,
    amount_available_for_refund: available,
    status: available > 0 ? 'REFUNDABLE' : 'COMPLETED',
    errors: [],
    refund_full: { method },
    refund_partial: { method },
    bank_names: [],
  })
}

function requestRefund(
  api: FakeApi,
  response: ServerResponse,
  { paymentId, body }: { paymentId: string; body: URLSearchParams },
): void {
  if (api.refunds === 'connection lost') return void response.destroy()
  const amountCents = Number(body.get('amount'))
  const left = (api.balances.get(paymentId) ?? 0) - amountCents
  if (api.refunds === 'rejects' || left < 0) return failed(response, 400, 'The wallet has not enough funds.')

  api.balances.set(paymentId, left)
  api.completedRefunds.push({ paymentId, amountCents, reason: body.get('reason') ?? '' })
  if (api.refunds === 'succeeds without a response') return void response.destroy()
  json(response, 200, { code: 200, status: 'success', data: { response: true, message: 'Refund done' } })
}

function failed(response: ServerResponse, code: number, message: string): void {
  json(response, code, { code, status: 'failed', data: { response: false, message } })
}

/** A response of the firewall before the API. */
function blocked(response: ServerResponse): void {
  response.writeHead(403, { 'Content-Type': 'text/html' }).end('<html>Forbidden</html>')
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
