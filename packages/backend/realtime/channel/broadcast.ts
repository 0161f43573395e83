import type { DatabasePools } from '#backend/database/pool.ts'

import { messageStatement, messageBytes, writeToFeed, type WrittenMessage } from '../feed/write-messages.ts'
import { BROADCAST_DISABLED, type Features, type Limits } from '../limits.ts'
import type { Frame, FramePayload } from '../protocol/frame.ts'
import type { Channel } from './channel.ts'
import { mayWrite } from './rights.ts'

export interface BroadcastOptions {
  database: DatabasePools
  features: Pick<Features, 'broadcast'>
  limits: Pick<Limits, 'messageBytes'>
}

/** Handles `broadcast`. Writes to the feed, so that every process delivers the messages in the same order. */
export async function broadcast(
  { database, features, limits }: BroadcastOptions,
  channel: Channel,
  frame: Frame,
): Promise<void> {
  const { connection, acknowledges } = channel
  if (!features.broadcast) return connection.reply(frame, 'error', { reason: BROADCAST_DISABLED })
  channel.rights.maySend ??= await mayWrite(database, channel, 'broadcast')
  if (!channel.rights.maySend) return

  const sent = messageOf(channel, await frame.readPayload())
  if (sent === null) return
  const { message, isStored } = sent
  if (messageBytes(message) > limits.messageBytes) {
    if (acknowledges) connection.reply(frame, 'error', { reason: 'payload_size_exceeded' })
    return
  }
  if (isStored) {
    return connection.reply(frame, 'error', { error: 'Storing messages for replay is not served' })
  }
  await writeToFeed(database.owner, [messageStatement(message)])
  if (acknowledges) connection.reply(frame, 'ok', {})
}

function messageOf(
  { name, isPrivate, receivesOwn, connection }: Channel,
  sent: FramePayload,
): { message: WrittenMessage; isStored: boolean } | null {
  const { event, payload, metadata, persist } = sent
  if (typeof event !== 'string') return null
  const message = { event, isPrivate, ...(receivesOwn ? {} : { except: connection.id }) }
  const written = Buffer.isBuffer(payload)
    ? { topic: name, message: { ...message, bytes: payload.toString('base64') }, payload: null }
    : { topic: name, message, payload: JSON.stringify(payload ?? {}) }
  return { message: written, isStored: metadata !== undefined || persist !== undefined }
}
