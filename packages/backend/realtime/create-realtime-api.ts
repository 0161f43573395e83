import { Hono, type Context } from 'hono'
import { z } from 'zod'

import type { DatabasePools } from '#backend/database/pool.ts'
import { parseJson, readBody } from '#backend/http/body.ts'
import { visitor, type Caller } from '#backend/http/caller.ts'

import { mayWrite } from './channel/rights.ts'
import { messageStatement, messageBytes, writeToFeed, type WrittenMessage } from './feed/write-messages.ts'
import { BROADCAST_DISABLED, LIMITS } from './limits.ts'

interface Variables {
  Variables: { caller: Caller | undefined }
}

const batch = z.object({
  messages: z
    .array(
      z.object({
        topic: z.string().min(1),
        event: z.string().min(1),
        payload: z.record(z.string(), z.unknown()),
        private: z.boolean().nullish(),
      }),
    )
    .max(100),
})

export interface RealtimeApiOptions {
  database: DatabasePools
  /** Default true. */
  isBroadcastEnabled?: boolean | undefined
}

const BODY_BYTES = 4 * LIMITS.messageBytes

/**
 * Returns the app for `/realtime/v1`, behind the gateway: `/api/broadcast` sends messages without a socket. It writes to the
 * feed, so the sockets may belong to any process.
 */
export function createRealtimeApi({
  database,
  isBroadcastEnabled = true,
}: RealtimeApiOptions): Hono<Variables> {
  const app = new Hono<Variables>()

  // Refuses before reading the body.
  if (!isBroadcastEnabled) app.post('/api/broadcast/*', (c) => c.json({ error: BROADCAST_DISABLED }, 403))

  app.post('/api/broadcast', async (c) => {
    const body = await readBody(c.req.raw, BODY_BYTES)
    if (!body) return tooLarge(c)
    const parsed = batch.safeParse(parseJson(body))
    if (!parsed.success)
      return c.json({ errors: { messages: parsed.error.issues.map(({ message }) => message) } }, 422)
    const messages = parsed.data.messages.map(({ topic, event, payload, private: isPrivate }) => ({
      topic,
      message: { event, isPrivate: isPrivate ?? false },
      payload: JSON.stringify(payload),
    }))
    return sendMessages(c, database, messages)
  })

  app.post('/api/broadcast/:topic/events/:event', async (c) => {
    const { topic, event } = c.req.param()
    if (c.req.query('persist') !== undefined || c.req.query('persist[ttl]') !== undefined) {
      return c.json({ error: 'Storing messages for replay is not served' }, 422)
    }
    const body = await readBody(c.req.raw, BODY_BYTES)
    if (!body) return tooLarge(c)
    const message = { event, isPrivate: c.req.query('private') === 'true' }
    const type = c.req.header('Content-Type')?.split(';')[0]?.trim()
    if (type === 'application/octet-stream') {
      const bytes = Buffer.from(body).toString('base64')
      return sendMessages(c, database, [{ topic, message: { ...message, bytes }, payload: null }])
    }
    if (type !== 'application/json') return c.json({ error: 'Unsupported Media Type' }, 415)
    const payload = parseJson(body)
    if (payload === undefined) return c.json({ error: 'The body is not JSON' }, 422)
    return sendMessages(c, database, [{ topic, message, payload: JSON.stringify(payload) }])
  })

  app.all('*', (c) =>
    c.json({ error: 'Not Found', message: 'This path of the realtime service is not served' }, 404),
  )
  return app
}

/** Skips forbidden messages of a batch silently, like the hosted product; returns 403 for a single one. */
async function sendMessages(
  c: Context<Variables>,
  database: DatabasePools,
  messages: WrittenMessage[],
): Promise<Response> {
  const caller = c.get('caller') ?? visitor
  const allowed: WrittenMessage[] = []
  for (const message of messages) {
    if (messageBytes(message) > LIMITS.messageBytes) return tooLarge(c)
    const isAllowed =
      !message.message.isPrivate || (await mayWrite(database, { caller, name: message.topic }, 'broadcast'))
    if (isAllowed) allowed.push(message)
  }
  if (allowed.length === 0 && messages.length === 1) return c.json({ error: 'Unauthorized' }, 403)
  if (allowed.length > 0) await writeToFeed(database.owner, allowed.map(messageStatement))
  return c.body(null, 202)
}

function tooLarge(c: Context): Response {
  return c.json({ error: 'Payload size exceeds the limit' }, 422)
}
