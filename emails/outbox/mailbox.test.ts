import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { shopDatabase, type TestDatabase } from '#test/database.ts'

import { createMailbox } from './mailbox.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await shopDatabase()
})
afterAll(() => shop.close())

/** The mailbox as the shop mounts it, asked by whoever has this address. */
function mailboxAskedFrom(address: string) {
  const app = new Hono<{ Variables: { remoteAddress: string } }>()
  app.use(async (c, next) => {
    c.set('remoteAddress', address)
    await next()
  })
  return app.route('/', createMailbox(shop.database.owner))
}

it.each([
  ['127.0.0.1', 200],
  ['::1', 200],
  ['::ffff:127.0.0.1', 200],
  ['192.168.1.20', 404],
  ['::ffff:203.0.113.9', 404],
  ['127.0.0.1.example', 404],
])('answers who calls from %s, whatever name is in the request, with %i', async (address, status) => {
  const answer = await mailboxAskedFrom(address).request('http://localhost:3000/')

  expect(answer.status).toBe(status)
})
