import { messageStatement, writeToFeed, type WrittenMessage } from '../feed/write-messages.ts'
import { BROADCAST_DISABLED } from '../limits.ts'
import type { RealtimeParts } from '../parts.ts'
import type { Frame } from '../protocol/frame.ts'
import type { Channel } from './channel.ts'
import { mayWrite } from './rights.ts'

/** `broadcast`: goes through the feed, so that those on other processes hear it too, in the same order. */
export async function broadcast(parts: RealtimeParts, channel: Channel, frame: Frame): Promise<void> {
  const { database, limits } = parts
  const { connection, acknowledges } = channel
  if (!parts.offers.broadcast) return connection.reply(frame, 'error', { reason: BROADCAST_DISABLED })
  channel.rights.speaks ??= await mayWrite(database, channel, 'broadcast')
  if (!channel.rights.speaks) return

  const said = messageOf(channel, frame.payload)
  if (said === null) return
  if (sizeOf(said) > limits.messageBytes) {
    if (acknowledges) connection.reply(frame, 'error', { reason: 'payload_size_exceeded' })
    return
  }
  if (frame.payload.metadata !== undefined || frame.payload.persist !== undefined) {
    return connection.reply(frame, 'error', { error: 'Storing messages for replay is not served' })
  }
  await writeToFeed(database.owner, [messageStatement(said)])
  if (acknowledges) connection.reply(frame, 'ok', {})
}

function messageOf(
  { name, isPrivate, hearsItself, connection }: Channel,
  sent: Frame['payload'],
): WrittenMessage | null {
  const { event, payload } = sent
  if (typeof event !== 'string') return null
  const message = { event, isPrivate, ...(hearsItself ? {} : { except: connection.id }) }
  return Buffer.isBuffer(payload)
    ? { topic: name, message: { ...message, bytes: payload.toString('base64') }, payload: null }
    : { topic: name, message, payload: JSON.stringify(payload ?? {}) }
}

function sizeOf({ message, payload }: WrittenMessage): number {
  return payload === null ? ((message.bytes?.length ?? 0) * 3) / 4 : Buffer.byteLength(payload)
}
