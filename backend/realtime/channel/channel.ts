import type { Caller } from '#backend/http/caller.ts'

import type { Subscription } from '../changes/subscription.ts'
import type { Connection } from '../socket/connection.ts'

/** One topic joined on one socket. */
export interface Channel {
  connection: Connection
  /** As it travels: `realtime:room`. */
  topic: string
  /** As the client named it: `room`. */
  name: string
  joinRef: string | null
  /** The token that was last accepted; null while the key alone speaks. */
  token: string | null
  caller: Caller
  isPrivate: boolean
  /** What the policies of `realtime.messages` allow on a private channel. */
  rights: ChannelRights
  acknowledges: boolean
  hearsItself: boolean
  presence: { key: string; isEnabled: boolean; tracked: { ref: string; meta: object } | null }
  subscriptions: Subscription[]
  /** Ids of what was said again when the channel was joined: the feed may bring the newest of it once more. */
  replayed: Set<string>
  confirming: NodeJS.Timeout | undefined
}

export interface ChannelRights {
  hears: boolean
  seesPresence: boolean
  /** Null until somebody speaks: asking writes to the database. */
  speaks: boolean | null
  tracks: boolean | null
}

export const ALL_RIGHTS: ChannelRights = { hears: true, seesPresence: true, speaks: true, tracks: true }

/** Callers with the same role and claims see the same rows. */
export function audienceOf({ role, claims }: Caller): string {
  return `${role} ${JSON.stringify(claims)}`
}

export interface SystemMessage {
  extension: 'postgres_changes' | 'system'
  status: 'ok' | 'error'
  message: string
}

export function tellSystem(channel: Channel, message: SystemMessage): void {
  push(channel, 'system', { ...message, channel: channel.name })
}

export function push(channel: Channel, event: string, payload: object): void {
  channel.connection.send({ topic: channel.topic, event, payload: JSON.stringify(payload) })
}
