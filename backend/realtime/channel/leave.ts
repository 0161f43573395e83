import type { RealtimeParts } from '../parts.ts'
import type { Frame } from '../protocol/frame.ts'
import { tellSystem, type Channel } from './channel.ts'
import { untrack } from './presence.ts'

/** `phx_leave`. */
export function leave(parts: RealtimeParts, channel: Channel, frame: Frame): void {
  channel.connection.reply(frame, 'ok', {})
  closeChannel(parts, channel)
}

/** The client does not come back by itself: it left, joined anew, or may not be here any more. */
export function closeChannel(parts: RealtimeParts, channel: Channel): void {
  forgetChannel(parts, channel)
  const { connection, topic, joinRef } = channel
  connection.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: '{}' })
}

/** The client joins again and, having been told that it missed something, fetches again. */
export function breakChannel(parts: RealtimeParts, channel: Channel, reason: string): void {
  tellSystem(channel, { extension: 'system', status: 'error', message: reason })
  forgetChannel(parts, channel)
  const { connection, topic, joinRef } = channel
  connection.send({ joinRef, ref: joinRef, topic, event: 'phx_error', payload: '{}' })
}

/** Ends what may not go on, with the reason. */
export function shutChannel(parts: RealtimeParts, channel: Channel, reason: string): void {
  tellSystem(channel, { extension: 'system', status: 'error', message: reason })
  closeChannel(parts, channel)
}

export function forgetChannel(parts: RealtimeParts, channel: Channel): void {
  clearTimeout(channel.confirming)
  parts.hub.remove(channel)
  const { channels } = channel.connection
  if (channels.get(channel.topic) === channel) channels.delete(channel.topic)
  if (channel.presence.tracked) {
    untrack(parts, channel).catch((error: unknown) =>
      parts.log.error({ err: error }, 'a presence was not ended'),
    )
  }
}
