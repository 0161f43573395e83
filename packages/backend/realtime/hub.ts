import type { Channel, Subscription } from './channel/channel.ts'
import type { PublishedTable } from './changes/published-table.ts'
import type { ChangeKind } from './changes/subscription.ts'

/**
 * Memory of a subscription, and of a condition and a column of it, besides their text in the frame of the join: objects, entries of
 * sets and arrays, headers of strings. Measured with Node 24 on frames that are as short as possible, and rounded up.
 */
const SUBSCRIPTION_BYTES = 320
const CONDITION_BYTES = 176
const COLUMN_BYTES = 32

/** Index of this process's channels and subscriptions. */
export class Hub {
  readonly #channels = new Map<string, Set<Channel>>()
  readonly #subscriptions = new Map<string, Set<Subscription>>()
  readonly #onRemoved: (channel: Channel) => void

  constructor(onRemoved: (channel: Channel) => void) {
    this.#onRemoved = onRemoved
  }

  get isEmpty(): boolean {
    return this.#channels.size === 0
  }

  add(channel: Channel): void {
    channel.connection.channels.set(channel.topic, channel)
    addTo(this.#channels, roomOf(channel), channel)
    channel.connection.countHeld(channel.bytes)
  }

  /** Also removes it from its socket. */
  remove(channel: Channel): void {
    clearTimeout(channel.tokenCheckTimer)
    if (removeFrom(this.#channels, roomOf(channel), channel)) channel.connection.countHeld(-channel.bytes)
    this.unsubscribe(channel)
    const { channels } = channel.connection
    if (channels.get(channel.topic) === channel) channels.delete(channel.topic)
    this.#onRemoved(channel)
  }

  /** A private and a public room of the same name are distinct. */
  inRoom(room: { name: string; isPrivate: boolean }): Iterable<Channel> {
    return this.#channels.get(roomOf(room)) ?? []
  }

  everyChannel(): Channel[] {
    return [...this.#channels.values()].flatMap((channels) => [...channels])
  }

  subscribe(channel: Channel, subscriptions: Subscription[]): void {
    this.unsubscribe(channel)
    channel.subscriptions = subscriptions
    for (const each of subscriptions) addTo(this.#subscriptions, tableOf(each.schema, each.table), each)
    channel.connection.countHeld(bytesOf(subscriptions))
  }

  unsubscribe(channel: Channel): void {
    for (const each of channel.subscriptions)
      removeFrom(this.#subscriptions, tableOf(each.schema, each.table), each)
    channel.connection.countHeld(-bytesOf(channel.subscriptions))
    channel.subscriptions = []
  }

  subscriptionsTo(
    { schema, name }: Pick<PublishedTable, 'schema' | 'name'>,
    kind: ChangeKind,
  ): Subscription[] {
    const tables = [tableOf(schema, name), tableOf(schema, '*'), tableOf('*', name), tableOf('*', '*')]
    return tables
      .flatMap((table) => [...(this.#subscriptions.get(table) ?? [])])
      .filter((each) => each.kind === null || each.kind === kind)
  }
}

function bytesOf(subscriptions: Subscription[]): number {
  return subscriptions.reduce(
    (sum, { conditions, selected }) =>
      sum + SUBSCRIPTION_BYTES + conditions.length * CONDITION_BYTES + (selected?.length ?? 0) * COLUMN_BYTES,
    0,
  )
}

function roomOf({ name, isPrivate }: { name: string; isPrivate: boolean }): string {
  return `${isPrivate ? 'private' : 'public'} ${name}`
}

function tableOf(schema: string, table: string): string {
  return JSON.stringify([schema, table])
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, member: T): void {
  const set = sets.get(key)
  if (set) set.add(member)
  else sets.set(key, new Set([member]))
}

/** Returns whether `member` was in the set. */
function removeFrom<T>(sets: Map<string, Set<T>>, key: string, member: T): boolean {
  const set = sets.get(key)
  const wasMember = set?.delete(member) ?? false
  if (set?.size === 0) sets.delete(key)
  return wasMember
}
