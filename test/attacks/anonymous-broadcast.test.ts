import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES as STATES,
  type RealtimeChannel,
  type SupabaseClient,
} from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Backend } from '@saltfreak/backend'
import { openShop, type TestShop } from '#test/shop.ts'
import { callsFrom, countStatuses } from './from-address.ts'

let shop: TestShop
let web: Server
let sockets: ReturnType<Backend['serveSockets']>
let visitor: SupabaseClient
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
  web = createServer().listen(0, '127.0.0.1')
  await once(web, 'listening')
  sockets = shop.backend.serveSockets(web)
  const address = web.address()
  const port = typeof address === 'object' ? address?.port : ''
  visitor = createClient(`http://127.0.0.1:${port}`, shop.keys.publishable, {
    auth: { persistSession: false },
  })
})
afterAll(async () => {
  await visitor.removeAllChannels()
  await sockets.close()
  web.close()
  await shop.close()
})

it('rejects realtime broadcasts over HTTP without storing messages', async () => {
  const send = callsFrom(shop, '192.0.2.1')
  const message = { topic: 'room', event: 'flood', payload: { text: 'x'.repeat(200_000) } }
  const many = await Promise.all(
    Array.from({ length: 20 }, () => send('/realtime/v1/api/broadcast', { body: { messages: [message] } })),
  )
  const one = await send('/realtime/v1/api/broadcast/room/events/flood', { body: message.payload })

  expect(countStatuses([...many, one])).toEqual({ 403: 21 })
  expect(await one.json()).toEqual({ error: 'Broadcast is disabled' })
  expect(await countStoredMessages()).toBe(0)
})

it('rejects broadcasts and presence on a realtime socket with the protocol’s error messages', async () => {
  const channel = await joined(visitor.channel('room', { config: { broadcast: { ack: true } } }))

  const said = await channel.send({ type: 'broadcast', event: 'flood', payload: { text: 'hello' } })
  const tracked = await channel.track({ name: 'a visitor' })

  expect([said, tracked]).toEqual(['error', 'error'])
  expect(await countStoredMessages()).toBe(0)
})

async function countStoredMessages(): Promise<number> {
  const { rows } = await shop.database.owner.query(
    `select count(*)::int as kept from realtime_feed.entries where kind = 'message'`,
  )
  return rows[0].kept
}

function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((settle, fail) => {
    channel.subscribe((status, error) => {
      if (status === STATES.SUBSCRIBED) settle(channel)
      else if (status !== STATES.CLOSED) fail(error ?? new Error(status))
    })
  })
}
