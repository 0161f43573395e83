import { randomUUID } from 'node:crypto'

import type { DatabasePools } from '#backend/database/pool.ts'

import { bindingId } from '../changes/subscription.ts'
import { subscribe, type SubscribeOptions } from '../changes/subscribe.ts'
import type { Feed } from '../feed/feed.ts'
import type { Frame } from '../protocol/frame.ts'
import { parseJoin, type JoinRequest } from '../protocol/join-request.ts'
import type { Features, Limits } from '../limits.ts'
import type { Identify } from './caller.ts'
import { ALL_RIGHTS, sendSystemMessage, type Channel, type Connection } from './channel.ts'
import type { ChannelTokens } from './channel-tokens.ts'
import { closeChannel } from './leave.ts'
import type { Presences } from './presence.ts'
import { replay, sendHeld } from './replay.ts'
import { readRights } from './rights.ts'

const TOPIC_PREFIX = 'realtime:'

export interface JoinOptions extends SubscribeOptions {
  database: DatabasePools
  feed: Feed
  identify: Identify
  tokens: ChannelTokens
  presences: Presences
  features: Pick<Features, 'presence'>
  limits: Pick<Limits, 'channelsPerSocket'>
}

/** Handles `phx_join`. The client reports SUBSCRIBED on the reply; a later system message confirms changes. */
export async function joinChannel(options: JoinOptions, connection: Connection, frame: Frame): Promise<void> {
  const refuse = (reason: string) => connection.reply(frame, 'error', { reason })
  const tooMany = limitExceeded(options, connection, frame)
  if (tooMany) return refuse(tooMany)
  const request = parseJoin(await frame.readPayload())
  if (typeof request === 'string') return refuse(`InvalidJoinPayload: ${request}`)
  if (request.replay && !request.isPrivate) {
    return refuse('UnableToReplayMessages: Replay is not allowed for public channels')
  }

  const identified = await options.identify(request.token, connection.keyHolder)
  if ('problem' in identified) return refuse(`${identified.code}: ${identified.problem}`)
  const channel = channelOf(connection, frame, {
    request,
    isPresenceEnabled: options.features.presence && request.presence.isEnabled,
    ...identified,
  })
  if (request.isPrivate) {
    channel.rights = await readRights(options.database, channel)
    if (!channel.rights.mayReceive && !channel.rights.maySeePresence) {
      return refuse(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${channel.name}`,
      )
    }
  }
  if (!connection.isOpen) return
  if (request.replay && channel.rights.mayReceive) channel.held = []
  addChannel(options, channel)
  try {
    await acceptJoin(options, channel, { request, frame })
  } finally {
    sendHeld(channel)
  }
}

function limitExceeded({ limits }: JoinOptions, connection: Connection, { topic }: Frame): string | null {
  if (!topic.startsWith(TOPIC_PREFIX)) return 'unmatched topic'
  if (topic === TOPIC_PREFIX) return 'TopicNameRequired: You must provide a topic name'
  if (!connection.joins.consume()) return 'ClientJoinRateLimitReached: Too many joins per second'
  const isNew = !connection.channels.has(topic)
  if (isNew && connection.channels.size >= limits.channelsPerSocket)
    return 'ChannelRateLimitReached: Too many channels'
  return null
}

interface NewChannel extends Pick<Channel, 'caller' | 'token'> {
  request: JoinRequest
  isPresenceEnabled: boolean
}

function channelOf(connection: Connection, frame: Frame, joined: NewChannel): Channel {
  const { request, caller, token, isPresenceEnabled } = joined
  const { isPrivate, acknowledges, receivesOwn, presence } = request
  return {
    connection,
    topic: frame.topic,
    name: frame.topic.slice(TOPIC_PREFIX.length),
    joinRef: frame.joinRef ?? frame.ref,
    token,
    caller,
    isPrivate,
    rights: { ...ALL_RIGHTS },
    acknowledges,
    receivesOwn,
    presence: { key: presence.key ?? randomUUID(), isEnabled: isPresenceEnabled, tracked: null },
    subscriptions: [],
    replayed: new Set(),
    held: null,
    tokenCheckTimer: undefined,
    bytes: frame.bytes,
  }
}

function addChannel({ hub, tokens }: JoinOptions, channel: Channel): void {
  const earlier = channel.connection.channels.get(channel.topic)
  if (earlier) closeChannel(hub, earlier)
  hub.add(channel)
  tokens.scheduleCheck(channel)
}

async function acceptJoin(
  options: JoinOptions,
  channel: Channel,
  { request, frame }: { request: JoinRequest; frame: Frame },
): Promise<void> {
  const { connection } = channel
  const accept = () => {
    const changes = request.changes.map((each) => ({ ...each, id: bindingId(each) }))
    connection.reply(frame, 'ok', request.hasConfig ? { postgres_changes: changes } : {})
  }
  // Fixes the feed's read position, so that the channel receives every message after its reply.
  await options.feed.ready()
  if (!request.waitsForChanges) accept()
  if (request.changes.length > 0) {
    const problem = await subscribe(options, channel, request.changes)
    if (request.waitsForChanges && problem) {
      options.hub.remove(channel)
      return connection.reply(frame, 'error', { reason: problem })
    }
  }
  if (request.waitsForChanges) accept()
  if (request.wantsReadiness) {
    sendSystemMessage(channel, {
      extension: 'system',
      status: 'ok',
      message: 'Replication connection established',
    })
  }
  if (request.replay && channel.held) await replay(options.database.owner, channel, request.replay)
  if (channel.presence.isEnabled) await options.presences.sendState(channel)
}
