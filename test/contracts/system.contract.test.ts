import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop
let admin: Person
let room: TestMailServer
let webhook: Server
const posted: Record<string, unknown>[] = []
beforeAll(async () => {
  webhook = createServer(async (request, response) => {
    posted.push(JSON.parse(await text(request)))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' ? address?.port : 0
  room = await startMailServer()
  shop = await openShop({ smtpUrl: room.url, alertUrl: `http://127.0.0.1:${port}/secret-path` })
  admin = await shop.admin()
})
afterAll(async () => {
  await shop.close()
  await room.close()
  webhook.close()
})

describe('show-system', () => {
  it('tells admins what the checks found, the most urgent first, with the latest alerts and no secrets', async () => {
    await shop.database.owner.query(
      `select graphile_worker.add_job('check_notice', run_at => now() - interval '1 hour');
       insert into private.alerts (component, state, message, raised_at, cleared_at) values
         ('mail', 'warning', 'E-mails wait.', now() - interval '2 days', now() - interval '1 day'),
         ('disk', 'failed', 'The disk is full.', now(), null)`,
    )

    const { data, error } = await admin.client.functions.invoke('show-system', { body: {} })

    expect(error).toBeNull()
    expect(data.findings[0]).toMatchObject({ component: 'jobs', state: 'failed', action: expect.any(String) })
    expect(data.findings.at(-1)).toMatchObject({ state: 'ok' })
    expect(data.alerts).toMatchObject([
      { component: 'disk', state: 'failed', clearedAt: null },
      { component: 'mail', state: 'warning', clearedAt: expect.any(String) },
    ])
    expect(data.disk.freeBytes).toBeGreaterThan(0)
    expect(data.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(data.database).toMatch(/^PostgreSQL 1\d/)
    expect(data.alertsGoTo).toEqual({ mail: shop.settings.shopEmail, webhook: expect.stringMatching(/^127/) })
    expect(JSON.stringify(data)).not.toContain('secret-path')
  })
})

describe('send-test-alert', () => {
  it('sends a test alert by e-mail and to the webhook, and reports what a server refuses', async () => {
    const sent = await admin.client.functions.invoke('send-test-alert', { body: {} })
    room.behaviour = 'refuses the recipient'
    const refused = await admin.client.functions.invoke('send-test-alert', { body: {} })

    expect(sent.data).toEqual({ mail: { outcome: 'sent' }, webhook: { outcome: 'sent' } })
    expect(refused.data.mail).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('No mailbox'),
    })
    expect((await room.received()).map(({ subject }) => subject)).toEqual(['Shop alert: test'])
    expect(posted[0]).toMatchObject({ component: 'test', state: 'warning' })
  })
})
