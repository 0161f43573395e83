import type { Channel, Subscription } from '../channel/channel.ts'
import { failChannel } from '../channel/leave.ts'
import { type DeliveryParts, planDeliveries } from '../changes/deliver.ts'
import { describeRelations, type Publication } from '../changes/published-table.ts'
import { sendSystemMessage } from '../channel/channel.ts'
import { sendLive } from '../channel/replay.ts'
import type { Hub } from '../hub.ts'
import { encodeBroadcast, encodeFrame, type Version } from '../protocol/frame.ts'
import type { FeedEntry } from './read-entries.ts'

export interface DispatchOptions extends Pick<DeliveryParts, 'database' | 'publication' | 'log'> {
  hub: Hub
}

/** Delivers one page of the feed. Any error is thrown before the first message is sent, so that a retry sends no duplicates. */
export async function dispatch(options: DispatchOptions, entries: FeedEntry[]): Promise<void> {
  const { hub, publication } = options
  const deliveries = await planDeliveries(
    {
      ...options,
      subscriptionsTo: (relation, kind) => hub.subscriptionsTo(relation, kind),
      endSubscription: (subscription, reason) => endSubscription(hub, subscription, reason),
    },
    entries.filter((entry) => entry.kind !== 'lost' && entry.kind !== 'message'),
  )
  const lost = new Set(entries.filter((entry) => entry.kind === 'lost').map(({ relation }) => relation))
  const watchers = lost.size > 0 ? await watchersOf(hub, publication, [...lost]) : new Set<Channel>()

  const encode = createEncoder()
  for (const { channel, ids, data } of deliveries) {
    const payload = `{"ids":${JSON.stringify(ids)},"data":${data}}`
    channel.connection.sendEncoded(encode(channel.topic, payload, channel.connection.version), false)
  }
  for (const channel of watchers)
    failChannel(hub, channel, 'A change could not be delivered: reload the data')
  for (const entry of entries) if (entry.kind === 'message') deliverMessage(hub, entry)
}

/** Makes every client rejoin and reload after changes may have been missed. */
export function failAllChannels(hub: Hub): void {
  for (const channel of hub.everyChannel()) {
    failChannel(
      hub,
      channel,
      'The connection to the database was lost for too long: changes may have been missed',
    )
  }
}

async function watchersOf(hub: Hub, publication: Publication, oids: number[]): Promise<Set<Channel>> {
  const relations = await describeRelations(publication, oids)
  const kinds = ['insert', 'update', 'delete'] as const
  const watching = relations.flatMap((relation) =>
    kinds.flatMap((kind) => hub.subscriptionsTo(relation, kind)),
  )
  return new Set(watching.map(({ channel }) => channel))
}

/** Caches encoded frames, because thousands of sockets may receive the same change. */
function createEncoder() {
  const encoded = new Map<string, Buffer>()
  return (topic: string, payload: string, version: Version): Buffer => {
    const key = `${version} ${topic} ${payload}`
    const known = encoded.get(key)
    if (known) return known
    const frame = Buffer.from(encodeFrame({ topic, event: 'postgres_changes', payload }, version))
    encoded.set(key, frame)
    return frame
  }
}

type Message = Extract<FeedEntry, { kind: 'message' }>

function deliverMessage(hub: Hub, { topic: name, message, payload }: Message): void {
  const { event, isPrivate, isPresence, except, bytes, meta } = message
  for (const channel of hub.inRoom({ name, isPrivate })) {
    const { connection, topic, rights, presence } = channel
    if (isPresence) {
      if (presence.isEnabled && rights.maySeePresence)
        connection.send({ topic, event, payload: payload ?? '{}' })
    } else if (rights.mayReceive && connection.id !== except) {
      const content = bytes === undefined ? (payload ?? 'null') : Buffer.from(bytes, 'base64')
      const frame = encodeBroadcast({ topic, event, payload: content, meta }, connection.version)
      if (frame !== null) sendLive(channel, { id: meta?.id, frame })
    }
  }
}

function endSubscription(hub: Hub, subscription: Subscription, reason: string): void {
  const { channel } = subscription
  hub.subscribe(
    channel,
    channel.subscriptions.filter((each) => each !== subscription),
  )
  sendSystemMessage(channel, { extension: 'postgres_changes', status: 'error', message: reason })
}
