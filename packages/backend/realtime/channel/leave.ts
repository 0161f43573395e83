import type { Hub } from '../hub.ts'
import type { Frame } from '../protocol/frame.ts'
import { sendSystemMessage, type Channel } from './channel.ts'

/** Handles `phx_leave`. */
export function leave(hub: Hub, channel: Channel, frame: Frame): void {
  channel.connection.reply(frame, 'ok', {})
  closeChannel(hub, channel)
}

/** Closes a channel with `phx_close`, after which the client does not rejoin. */
export function closeChannel(hub: Hub, channel: Channel): void {
  hub.remove(channel)
  const { connection, topic, joinRef } = channel
  connection.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: '{}' })
}

/** Closes a channel with `phx_error`, after which the client rejoins and reloads its data. */
export function failChannel(hub: Hub, channel: Channel, reason: string): void {
  sendSystemMessage(channel, { extension: 'system', status: 'error', message: reason })
  hub.remove(channel)
  const { connection, topic, joinRef } = channel
  connection.send({ joinRef, ref: joinRef, topic, event: 'phx_error', payload: '{}' })
}

/** Sends the reason, then closes the channel for good. */
export function closeWithReason(hub: Hub, channel: Channel, reason: string): void {
  sendSystemMessage(channel, { extension: 'system', status: 'error', message: reason })
  closeChannel(hub, channel)
}
