import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Alert } from './alert.ts'
import { createDirectSender, type DirectSender } from './direct-sender.ts'

const HOUR_MS = 3_600_000
const ALERT: Alert = {
  component: 'database',
  state: 'failed',
  message: 'The database does not answer.',
  action: null,
  since: '2026-11-21T08:00:00.000Z',
}

let webhook: Server
/** What the webhook answers, and how often it was asked. */
let status: number
let asked: number
let sender: DirectSender

beforeEach(async () => {
  status = 500
  asked = 0
  webhook = createServer((request, response) => {
    asked += 1
    request.resume().once('end', () => response.writeHead(status).end())
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  sender = createDirectSender(
    {
      alertUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
      publicUrl: 'http://localhost:3000',
      smtpUrl: null,
      isLocal: true,
      mailFrom: 'shop@example.com',
      shopEmail: 'owner@example.com',
    },
    { warn: () => undefined },
  )
})
afterEach(() => {
  vi.useRealTimers()
  webhook.close()
})

it('sends an alert again until it is accepted, and not again then', async () => {
  sender.add([ALERT])
  await sender.send()
  status = 204
  await sender.send()
  await sender.send()

  expect(asked).toBe(2)
})

it('gives up an alert that mail and webhook have refused for a day', async () => {
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  sender.add([ALERT])

  vi.setSystemTime(start + 23 * HOUR_MS)
  await sender.send()
  vi.setSystemTime(start + 24 * HOUR_MS)
  await sender.send()
  await sender.send()

  expect(asked).toBe(2)
})
