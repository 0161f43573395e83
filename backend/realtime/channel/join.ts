import { randomUUID } from 'node:crypto'

import { idOf } from '../changes/subscription.ts'
import { subscribe } from '../changes/subscribe.ts'
import { isRecord, type Frame } from '../protocol/frame.ts'
import { parseJoin, type JoinRequest } from '../protocol/join-request.ts'
import type { Offers } from '../limits.ts'
import type { RealtimeParts } from '../parts.ts'
import type { Connection } from '../socket/connection.ts'
import { identify } from './caller.ts'
import { ALL_RIGHTS, tellSystem, type Channel } from './channel.ts'
import { confirmLater } from './confirm-token.ts'
import { closeChannel, forgetChannel } from './leave.ts'
import { sendPresenceState } from './presence.ts'
import { replay } from './replay.ts'
import { readRights } from './rights.ts'

export const TOPIC_PREFIX = 'realtime:'

/** `phx_join`: the answer alone makes the client report SUBSCRIBED; changes are confirmed by a system message later. */
export async function join(parts: RealtimeParts, connection: Connection, frame: Frame): Promise<void> {
  const refuse = (reason: string) => connection.reply(frame, 'error', { reason })
  const tooMany = exceeded(parts, connection, frame)
  if (tooMany) return refuse(tooMany)
  const request = parseJoin(frame.payload)
  if (typeof request === 'string') return refuse(`InvalidJoinPayload: ${request}`)
  if (request.replay && !request.isPrivate) {
    return refuse('UnableToReplayMessages: Replay is not allowed for public channels')
  }

  const identified = await identify(parts, request.token, connection.keyHolder)
  if ('problem' in identified) return refuse(`${identified.code}: ${identified.problem}`)
  const channel = channelOf(connection, frame, { request: withOffers(request, parts.offers), ...identified })
  if (request.isPrivate) {
    channel.rights = await readRights(parts.database, channel)
    if (!channel.rights.hears && !channel.rights.seesPresence) {
      return refuse(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${channel.name}`,
      )
    }
  }
  if (!connection.isOpen) return
  open(parts, channel)
  await answer(parts, channel, { request, frame })
}

function exceeded({ limits }: RealtimeParts, connection: Connection, { topic }: Frame): string | null {
  if (!topic.startsWith(TOPIC_PREFIX)) return 'unmatched topic'
  if (topic === TOPIC_PREFIX) return 'TopicNameRequired: You must provide a topic name'
  if (!connection.joins.allows()) return 'ClientJoinRateLimitReached: Too many joins per second'
  const isNew = !connection.channels.has(topic)
  if (isNew && connection.channels.size >= limits.channelsPerSocket)
    return 'ChannelRateLimitReached: Too many channels'
  return null
}

function withOffers(request: JoinRequest, offers: Offers): JoinRequest {
  const { presence } = request
  return { ...request, presence: { ...presence, isEnabled: presence.isEnabled && offers.presence } }
}

type Identity = { request: JoinRequest; caller: Channel['caller']; token: string | null }

function channelOf(connection: Connection, frame: Frame, { request, caller, token }: Identity): Channel {
  const { isPrivate, acknowledges, hearsItself, presence } = request
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
    hearsItself,
    presence: { key: presence.key ?? randomUUID(), isEnabled: presence.isEnabled, tracked: null },
    subscriptions: [],
    replayed: new Set(),
    confirming: undefined,
  }
}

function open(parts: RealtimeParts, channel: Channel): void {
  const earlier = channel.connection.channels.get(channel.topic)
  if (earlier) closeChannel(parts, earlier)
  channel.connection.channels.set(channel.topic, channel)
  parts.hub.add(channel)
  confirmLater(parts, channel)
}

async function answer(
  parts: RealtimeParts,
  channel: Channel,
  { request, frame }: { request: JoinRequest; frame: Frame },
): Promise<void> {
  const { connection } = channel
  const asked = isRecord(frame.payload.config)
  const accept = () => {
    const changes = request.changes.map((each) => ({ ...each, id: idOf(each) }))
    connection.reply(frame, 'ok', asked ? { postgres_changes: changes } : {})
  }
  if (!request.waitsForChanges) accept()
  // What is said from here on is heard: the feed has a place to read on from.
  await parts.feed.ready()
  if (request.changes.length > 0) {
    const problem = await subscribe(parts, channel, request.changes)
    if (request.waitsForChanges && problem) {
      forgetChannel(parts, channel)
      return connection.reply(frame, 'error', { reason: problem })
    }
  }
  if (request.waitsForChanges) accept()
  if (request.wantsReadiness) {
    tellSystem(channel, { extension: 'system', status: 'ok', message: 'Replication connection established' })
  }
  if (request.replay && channel.rights.hears) await replay(parts, channel, request.replay)
  if (channel.presence.isEnabled) await sendPresenceState(parts, channel)
}
