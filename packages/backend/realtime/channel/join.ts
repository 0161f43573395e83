import { randomUUID } from 'node:crypto'

import { bindingId } from '../changes/subscription.ts'
import { subscribe } from '../changes/subscribe.ts'
import { isRecord, type Frame } from '../protocol/frame.ts'
import { parseJoin, type JoinRequest } from '../protocol/join-request.ts'
import type { Features } from '../limits.ts'
import type { RealtimeParts } from '../parts.ts'
import { identify } from './caller.ts'
import { ALL_RIGHTS, sendSystemMessage, type Channel, type Connection } from './channel.ts'
import { scheduleTokenCheck } from './recheck-token.ts'
import { closeChannel, removeChannel } from './leave.ts'
import { sendPresenceState } from './presence.ts'
import { replay } from './replay.ts'
import { readRights } from './rights.ts'

const TOPIC_PREFIX = 'realtime:'

/** Handles `phx_join`. The client reports SUBSCRIBED on the reply; a later system message confirms changes. */
export async function joinChannel(parts: RealtimeParts, connection: Connection, frame: Frame): Promise<void> {
  const refuse = (reason: string) => connection.reply(frame, 'error', { reason })
  const tooMany = limitExceeded(parts, connection, frame)
  if (tooMany) return refuse(tooMany)
  const request = parseJoin(frame.payload)
  if (typeof request === 'string') return refuse(`InvalidJoinPayload: ${request}`)
  if (request.replay && !request.isPrivate) {
    return refuse('UnableToReplayMessages: Replay is not allowed for public channels')
  }

  const identified = await identify(parts, request.token, connection.keyHolder)
  if ('problem' in identified) return refuse(`${identified.code}: ${identified.problem}`)
  const channel = channelOf(connection, frame, {
    request: withFeatures(request, parts.features),
    ...identified,
  })
  if (request.isPrivate) {
    channel.rights = await readRights(parts.database, channel)
    if (!channel.rights.mayReceive && !channel.rights.maySeePresence) {
      return refuse(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${channel.name}`,
      )
    }
  }
  if (!connection.isOpen) return
  addChannel(parts, channel)
  await acceptJoin(parts, channel, { request, frame })
}

function limitExceeded({ limits }: RealtimeParts, connection: Connection, { topic }: Frame): string | null {
  if (!topic.startsWith(TOPIC_PREFIX)) return 'unmatched topic'
  if (topic === TOPIC_PREFIX) return 'TopicNameRequired: You must provide a topic name'
  if (!connection.joins.consume()) return 'ClientJoinRateLimitReached: Too many joins per second'
  const isNew = !connection.channels.has(topic)
  if (isNew && connection.channels.size >= limits.channelsPerSocket)
    return 'ChannelRateLimitReached: Too many channels'
  return null
}

function withFeatures(request: JoinRequest, features: Features): JoinRequest {
  const { presence } = request
  return { ...request, presence: { ...presence, isEnabled: presence.isEnabled && features.presence } }
}

type Identity = { request: JoinRequest; caller: Channel['caller']; token: string | null }

function channelOf(connection: Connection, frame: Frame, { request, caller, token }: Identity): Channel {
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
    presence: { key: presence.key ?? randomUUID(), isEnabled: presence.isEnabled, tracked: null },
    subscriptions: [],
    replayed: new Set(),
    tokenCheckTimer: undefined,
  }
}

function addChannel(parts: RealtimeParts, channel: Channel): void {
  const earlier = channel.connection.channels.get(channel.topic)
  if (earlier) closeChannel(parts, earlier)
  channel.connection.channels.set(channel.topic, channel)
  parts.hub.add(channel)
  scheduleTokenCheck(parts, channel)
}

async function acceptJoin(
  parts: RealtimeParts,
  channel: Channel,
  { request, frame }: { request: JoinRequest; frame: Frame },
): Promise<void> {
  const { connection } = channel
  const hasConfig = isRecord(frame.payload.config)
  const accept = () => {
    const changes = request.changes.map((each) => ({ ...each, id: bindingId(each) }))
    connection.reply(frame, 'ok', hasConfig ? { postgres_changes: changes } : {})
  }
  if (!request.waitsForChanges) accept()
  // Fixes the feed's read position, so that the channel receives every later message.
  await parts.feed.ready()
  if (request.changes.length > 0) {
    const problem = await subscribe(parts, channel, request.changes)
    if (request.waitsForChanges && problem) {
      removeChannel(parts, channel)
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
  if (request.replay && channel.rights.mayReceive) await replay(parts, channel, request.replay)
  if (channel.presence.isEnabled) await sendPresenceState(parts, channel)
}
