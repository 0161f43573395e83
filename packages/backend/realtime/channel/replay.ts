import type { Pool } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'

import { encodeBroadcast } from '../protocol/frame.ts'
import type { ReplayRequest } from '../protocol/join-request.ts'
import type { Channel, LiveMessage } from './channel.ts'

const storedMessage = z.object({
  id: z.string(),
  event: z.string(),
  payload: z.string().nullable(),
  bytes: z.instanceof(Buffer).nullable(),
})

/** Stored messages are deleted after this time, as in the hosted product. */
const RETENTION = '3 days'

/** Sends a message of the feed, unless the channel's replay has sent it. A join with a replay holds it back. */
export function sendLive(channel: Channel, message: LiveMessage): void {
  if (channel.held) channel.held.push(message)
  else if (!message.id || !channel.replayed.has(message.id)) channel.connection.sendEncoded(message.frame)
}

/** Sends the messages that arrived during a join with a replay. */
export function sendHeld(channel: Channel): void {
  const held = channel.held ?? []
  channel.held = null
  for (const message of held) sendLive(channel, message)
}

/** Sends the newest stored messages to a channel that was just joined. */
export async function replay(
  owner: Pool,
  channel: Channel,
  { sinceMs, limit }: ReplayRequest,
): Promise<void> {
  const messages = await selectRows(owner, storedMessage, [
    `select * from (
       select id, event, payload::text, binary_payload as bytes, inserted_at from realtime.messages
       where topic = $1 and private and extension = 'broadcast' and event is not null
         and inserted_at >= greatest(to_timestamp($2::float8 / 1000), now() - interval '${RETENTION}') at time zone 'utc'
       order by inserted_at desc limit $3
     ) newest order by inserted_at`,
    channel.name,
    sinceMs,
    limit,
  ])
  const { connection, topic } = channel
  for (const { id, event, payload, bytes } of messages) {
    channel.replayed.add(id)
    const message = { topic, event, payload: bytes ?? payload ?? 'null', meta: { replayed: true, id } }
    const frame = encodeBroadcast(message, connection.version)
    if (frame !== null) connection.sendEncoded(frame)
  }
}

export async function dropOldMessages(owner: Pool): Promise<void> {
  await owner.query(
    `delete from realtime.messages where inserted_at < now() at time zone 'utc' - interval '${RETENTION}'`,
  )
}
