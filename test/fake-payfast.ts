import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import type { PayfastAccount } from '#payments/payfast/account.ts'
import { encodeParameters, signParameters } from '#payments/payfast/signature.ts'

import { type FakeApi, fakeApi } from './fake-payfast-api.ts'

/**
 * How the confirmation endpoint behaves. `outage` is a 403 with a page of HTML, as for weeks in 2025; `valid in an error` says VALID with
 * status 502.
 */
type ConfirmationBehaviour =
  | 'valid'
  | 'invalid'
  | 'outage'
  | 'connection lost'
  | 'malformed'
  | 'valid in an error'

export interface FakePayfast {
  account: PayfastAccount
  /** Every parameter string that the shop asked to confirm. */
  confirmRequests: string[]
  /** The headers of the last request. */
  lastConfirmHeaders: IncomingHttpHeaders
  behaviour: ConfirmationBehaviour
  api: FakeApi
  notice(fields: NoticeFields, passphrase?: string): string
  close(): Promise<void>
}

export interface NoticeFields {
  m_payment_id: string
  amount_gross: string
  pf_payment_id?: string
  payment_status?: string
  merchant_id?: string
}

const PASSPHRASE = 'jt7NOE43FZPn'
let nextPayment = 3_147_517

/** A fake PayFast on loopback: confirms payment notices, and sends notices as PayFast would. */
export async function fakePayfast(): Promise<FakePayfast> {
  const server = createServer((request, response) => {
    const isConfirmation = request.url === '/eng/query/validate'
    void (isConfirmation ? confirm(fake, request, response) : fake.api.answer(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the fake listens on no port')
  const origin = `http://127.0.0.1:${address.port}`

  const fake: FakePayfast = {
    account: {
      mode: 'sandbox',
      merchantId: '10000100',
      merchantKey: '46f0cd694581a',
      passphrase: PASSPHRASE,
      processUrl: `${origin}/eng/process`,
      validateUrl: `${origin}/eng/query/validate`,
      apiUrl: origin,
    },
    confirmRequests: [],
    lastConfirmHeaders: {},
    behaviour: 'valid',
    api: fakeApi(PASSPHRASE),
    notice: signedNotice,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return fake
}

async function confirm(fake: FakePayfast, request: IncomingMessage, response: ServerResponse): Promise<void> {
  fake.confirmRequests.push(await text(request))
  fake.lastConfirmHeaders = request.headers
  switch (fake.behaviour) {
    case 'valid':
      return void response.end('VALID\r\n')
    case 'invalid':
      return void response.end('INVALID')
    case 'outage':
      return void response
        .writeHead(403, { 'Content-Type': 'text/html' })
        .end('<html>VALID request blocked</html>')
    case 'valid in an error':
      return void response.writeHead(502).end('VALID\r\n')
    case 'malformed':
      return void response.end('VALIDATED')
    case 'connection lost':
      return void request.socket.destroy()
  }
}

/** Field order and blanks as observed in captured notices. */
function signedNotice(fields: NoticeFields, passphrase = PASSPHRASE): string {
  const parameters = encodeParameters(
    Object.entries({
      pf_payment_id: String(nextPayment++),
      payment_status: 'COMPLETE',
      item_name: 'Order 00042',
      item_description: '',
      amount_fee: '-4.60',
      amount_net: '95.40',
      custom_str1: '',
      custom_int1: '',
      name_first: 'Thandi',
      name_last: "O'Neill",
      email_address: 'thandi@example.com',
      merchant_id: '10000100',
      ...fields,
    }),
  )
  return `${parameters}&signature=${signParameters(parameters, passphrase)}`
}
