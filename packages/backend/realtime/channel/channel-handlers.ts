import type { Hub } from '../hub.ts'
import type { Frame } from '../protocol/frame.ts'
import { broadcast, type BroadcastOptions } from './broadcast.ts'
import type { Channel, Connection } from './channel.ts'
import type { ChannelTokens } from './channel-tokens.ts'
import { joinChannel, type JoinOptions } from './join.ts'
import type { JoinQueue } from './join-queue.ts'
import { leave } from './leave.ts'
import { presence, type PresenceOptions } from './presence.ts'

/** What happens with the frames of a socket. */
export interface ChannelHandlers {
  join: (connection: Connection, frame: Frame) => Promise<void>
  /** Ignores events that are not served. */
  handle: (channel: Channel, frame: Frame) => Promise<void> | void
  /** Called for a closed socket. */
  forget: (connection: Connection) => void
}

interface HandlerOptions {
  hub: Hub
  joinQueue: JoinQueue
  tokens: ChannelTokens
  join: JoinOptions
  broadcast: BroadcastOptions
  presence: PresenceOptions
}

export function createChannelHandlers({
  hub,
  joinQueue,
  tokens,
  ...options
}: HandlerOptions): ChannelHandlers {
  return {
    join: (connection, frame) =>
      joinQueue.run(connection, () => joinChannel(options.join, connection, frame)),
    forget(connection) {
      joinQueue.drop(connection)
      for (const channel of connection.channels.values()) hub.remove(channel)
    },
    handle(channel, frame) {
      switch (frame.event) {
        case 'phx_leave':
          return leave(hub, channel, frame)
        case 'access_token':
          return joinQueue.run(channel.connection, async () => {
            const { access_token: token } = await frame.readPayload()
            await tokens.replace(channel, token)
          })
        case 'broadcast':
          return broadcast(options.broadcast, channel, frame)
        case 'presence':
          return presence(options.presence, channel, frame)
      }
    },
  }
}
