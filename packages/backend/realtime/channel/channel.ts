import type { Caller } from '#backend/http/caller.ts'

import type { Watch } from '../changes/subscription.ts'
import type { TokenBucket } from '../limits.ts'
import type { Frame, Outgoing, Version } from '../protocol/frame.ts'

/** What the channels of one socket see of it. */
export interface Connection {
  readonly id: string
  readonly version: Version
  /** The network address, as limits count it. */
  readonly network: string
  /** The caller without a token: the role of the API key. */
  readonly keyHolder: Caller
  readonly isOpen: boolean
  /** The joined channels by topic. */
  readonly channels: Map<string, Channel>
  readonly joins: TokenBucket
  send(frame: Outgoing): void
  /** Sends data that is encoded once for many sockets. */
  sendEncoded(data: string | Buffer, isBinary?: boolean): void
  /** Counts bytes that the process keeps for the address of the socket; negative ones are freed. */
  countHeld(bytes: number): void
  reply(frame: Frame, status: 'ok' | 'error', response: object): void
}

export interface Subscription extends Watch {
  id: number
  channel: Channel
}

/** One joined topic of one socket. */
export interface Channel {
  connection: Connection
  /** On the wire: `realtime:room`. */
  topic: string
  /** Without the prefix: `room`. */
  name: string
  joinRef: string | null
  /** The last accepted token; null while the API key identifies the caller. */
  token: string | null
  caller: Caller
  isPrivate: boolean
  /** Results of the policies on `realtime.messages` for a private channel. */
  rights: ChannelRights
  acknowledges: boolean
  receivesOwn: boolean
  presence: {
    key: string
    isEnabled: boolean
    /** `meta` is JSON text: decoded, it may take thirty times its bytes. */
    tracked: { ref: string; meta: string } | null
  }
  subscriptions: Subscription[]
  /** Ids of replayed messages, to drop duplicates: the feed may deliver the newest of them again. */
  replayed: Set<string>
  /** Messages that the feed delivers during a join with a replay; null otherwise. */
  held: LiveMessage[] | null
  tokenCheckTimer: NodeJS.Timeout | undefined
  /** Of the frame that joined the channel, whose filters and names it keeps. */
  bytes: number
}

/** False once the channel is left, joined again or closed: what is recorded for it then stays forever. */
export function isJoined(channel: Channel): boolean {
  return channel.connection.channels.get(channel.topic) === channel
}

export interface LiveMessage {
  /** Of the stored message; undefined for a message that is not stored. */
  id: string | undefined
  frame: string | Buffer
}

export interface ChannelRights {
  mayReceive: boolean
  maySeePresence: boolean
  /** Null until the first message: the check writes to the database. */
  maySend: boolean | null
  mayTrack: boolean | null
}

export const ALL_RIGHTS: ChannelRights = {
  mayReceive: true,
  maySeePresence: true,
  maySend: true,
  mayTrack: true,
}

/** Cache key of a caller: callers with the same role and claims see the same rows. */
export function audienceOf({ role, claims }: Caller): string {
  return `${role} ${JSON.stringify(claims)}`
}

export interface SystemMessage {
  extension: 'postgres_changes' | 'system'
  status: 'ok' | 'error'
  message: string
}

export function sendSystemMessage(channel: Channel, message: SystemMessage): void {
  push(channel, 'system', { ...message, channel: channel.name })
}

export function push(channel: Channel, event: string, payload: object): void {
  channel.connection.send({ topic: channel.topic, event, payload: JSON.stringify(payload) })
}
