import type { RealtimeParts } from '../parts.ts'
import type { Frame } from '../protocol/frame.ts'
import { sendSystemMessage, type Channel } from './channel.ts'
import { untrack } from './presence.ts'

/** Handles `phx_leave`. */
export function leave(parts: RealtimeParts, channel: Channel, frame: Frame): void {
  channel.connection.reply(frame, 'ok', {})
  closeChannel(parts, channel)
}

/** Closes a channel with `phx_close`, after which the client does not rejoin. */
export function closeChannel(parts: RealtimeParts, channel: Channel): void {
  removeChannel(parts, channel)
  const { connection, topic, joinRef } = channel
  connection.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: '{}' })
}

/** Closes a channel with `phx_error`, after which the client rejoins and reloads its data. */
export function failChannel(parts: RealtimeParts, channel: Channel, reason: string): void {
  sendSystemMessage(channel, { extension: 'system', status: 'error', message: reason })
  removeChannel(parts, channel)
  const { connection, topic, joinRef } = channel
  connection.send({ joinRef, ref: joinRef, topic, event: 'phx_error', payload: '{}' })
}

/** Sends the reason, then closes the channel for good. */
export function closeWithReason(parts: RealtimeParts, channel: Channel, reason: string): void {
  sendSystemMessage(channel, { extension: 'system', status: 'error', message: reason })
  closeChannel(parts, channel)
}

export function removeChannel(parts: RealtimeParts, channel: Channel): void {
  clearTimeout(channel.tokenCheckTimer)
  parts.hub.remove(channel)
  const { channels } = channel.connection
  if (channels.get(channel.topic) === channel) channels.delete(channel.topic)
  if (channel.presence.tracked) {
    untrack(parts, channel).catch((error: unknown) =>
      parts.log.error({ err: error }, 'Could not remove a presence'),
    )
  }
}
