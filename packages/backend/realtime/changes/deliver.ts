import type { Pool } from 'pg'

import type { DatabasePools } from '#backend/database/pool.ts'
import { visitor } from '#backend/http/caller.ts'

import { audienceOf, type Channel, type Subscription } from '../channel/channel.ts'
import {
  applyConditions,
  applyPatterns,
  idsOf,
  keepIds,
  type EntriesBySubscription,
} from './apply-filters.ts'
import { describeChanges, recordsFor, type ChangedRow, type MessageVariant } from './changed-rows.ts'
import { describeRelations, mayRead, type Publication, type PublishedTable } from './published-table.ts'
import type { ChangeKind } from './subscription.ts'
import { visibleRows } from './visibility.ts'
import type { Log } from '#backend/process/log.ts'

export interface RowChange {
  id: string
  kind: ChangeKind
  relation: number
}

/** A change for one channel, with the ids of the matching subscriptions. */
export interface ChannelDelivery {
  channel: Channel
  ids: number[]
  /** JSON text, shared by many channels. */
  data: string
}

export interface DeliveryParts {
  database: DatabasePools
  publication: Publication
  log: Pick<Log, 'error'>
  subscriptionsTo: (relation: PublishedTable, kind: ChangeKind) => Subscription[]
  /** Called for a subscription whose filter fails in PostgreSQL. */
  endSubscription: (subscription: Subscription, reason: string) => void
}

/** Decides which channels receive which changes, before anything is sent. */
export async function planDeliveries(parts: DeliveryParts, changes: RowChange[]): Promise<ChannelDelivery[]> {
  const byRelation = Map.groupBy(changes, ({ relation }) => relation)
  const relations = await describeRelations(parts.publication, [...byRelation.keys()])
  const deliveries: ChannelDelivery[][] = []
  for (const relation of relations) {
    deliveries.push(await deliveriesOf(parts, relation, byRelation.get(relation.oid) ?? []))
  }
  return deliveries.flat()
}

async function deliveriesOf(
  parts: DeliveryParts,
  relation: PublishedTable,
  changes: RowChange[],
): Promise<ChannelDelivery[]> {
  const entriesBySubscription = await applyConditions(
    parts,
    relation,
    matchSubscriptions(parts, relation, changes),
  )
  const entryIds = idsOf(entriesBySubscription, entriesBySubscription.keys())
  if (entryIds.length === 0) return []

  const rows = await describeChanges(parts.database.owner, relation, entryIds)
  const visible = await applyPolicies(parts, relation, { entriesBySubscription, rows })
  const seen = await applyPatterns(parts, relation, visible)
  return encodeDeliveries(parts.database.owner, relation, { entriesBySubscription: seen, rows })
}

function matchSubscriptions(
  parts: DeliveryParts,
  relation: PublishedTable,
  changes: RowChange[],
): EntriesBySubscription {
  const entriesBySubscription: EntriesBySubscription = new Map()
  for (const { id, kind } of changes) {
    for (const subscription of parts.subscriptionsTo(relation, kind)) {
      if (!mayRead(relation, subscription.channel.caller.role)) continue
      const ids = entriesBySubscription.get(subscription) ?? new Set()
      entriesBySubscription.set(subscription, ids.add(id))
    }
  }
  return entriesBySubscription
}

/** Removes rows that row-level security hides. NOTE: does not check deletions, as the hosted product: the row does not exist. */
async function applyPolicies(
  parts: DeliveryParts,
  relation: PublishedTable,
  { entriesBySubscription, rows }: ResolvedChanges,
): Promise<EntriesBySubscription> {
  if (!relation.hasPolicies || relation.key.length === 0) return entriesBySubscription
  const isGuarded = (id: string) => rows.get(id)?.kind !== 'delete'
  const audiences = [
    ...Map.groupBy(entriesBySubscription.keys(), ({ channel }) => audienceOf(channel.caller)).values(),
  ]
  for (const alike of Map.groupBy(audiences, ([first]) => first?.channel.caller.role).values()) {
    const idsByAudience = alike.map((subscriptions) =>
      idsOf(entriesBySubscription, subscriptions).filter(isGuarded),
    )
    const visible = await visibleIds(parts, relation, { audiences: alike, idsByAudience, rows })
    for (const [index, subscriptions] of alike.entries()) {
      const isSeen = (id: string) => !isGuarded(id) || (visible[index]?.has(id) ?? false)
      keepIds(entriesBySubscription, subscriptions, isSeen)
    }
  }
  return entriesBySubscription
}

interface VisibilityQuery {
  /** Subscriptions grouped by role and claims. */
  audiences: Subscription[][]
  /** Entry ids of each audience. */
  idsByAudience: string[][]
  rows: Map<string, ChangedRow>
}

async function visibleIds(
  parts: DeliveryParts,
  relation: PublishedTable,
  { audiences, idsByAudience, rows }: VisibilityQuery,
): Promise<Set<string>[]> {
  const viewers = audiences.map(([first], index) => ({
    caller: first?.channel.caller ?? visitor,
    keys: (idsByAudience[index] ?? []).map((id) => rows.get(id)?.key ?? '{}'),
  }))
  const answers = await visibleRows(parts.database, relation, viewers)
  return answers.map((positions, index) => {
    if (positions instanceof Set)
      return new Set(idsByAudience[index]?.filter((_, position) => positions.has(position)))
    // A failing policy hides the rows.
    parts.log.error(
      { err: positions, table: `${relation.schema}.${relation.name}` },
      'Policy failed for a live change',
    )
    return new Set()
  })
}

interface ResolvedChanges {
  entriesBySubscription: EntriesBySubscription
  rows: Map<string, ChangedRow>
}

/** Encodes a change once for all subscribers with the same role and columns. */
async function encodeDeliveries(
  owner: Pool,
  relation: PublishedTable,
  { entriesBySubscription, rows }: ResolvedChanges,
): Promise<ChannelDelivery[]> {
  const deliveries: (ChannelDelivery & { entry: bigint })[] = []
  const variants = Map.groupBy(entriesBySubscription.keys(), ({ channel, selected }) =>
    JSON.stringify([channel.caller.role, selected]),
  )
  for (const alike of variants.values()) {
    const [first] = alike
    if (!first) continue
    const variant: MessageVariant = { role: first.channel.caller.role, selected: first.selected }
    const ids = new Set(idsOf(entriesBySubscription, alike))
    const texts = await recordsFor(owner, relation, {
      variant,
      rows: [...rows.values()].filter(({ id }) => ids.has(id)),
    })
    for (const [channel, subscriptions] of Map.groupBy(alike, (each) => each.channel)) {
      for (const [id, data] of texts) {
        const concerned = subscriptions
          .filter((each) => entriesBySubscription.get(each)?.has(id))
          .map((each) => each.id)
        if (concerned.length > 0) deliveries.push({ channel, ids: concerned, data, entry: BigInt(id) })
      }
    }
  }
  return deliveries.toSorted((left, right) => Number(left.entry - right.entry))
}
