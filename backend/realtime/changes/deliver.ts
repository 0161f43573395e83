import type { Pool } from 'pg'

import type { Database } from '#backend/database/pool.ts'
import { visitor } from '#backend/http/caller.ts'

import { audienceOf, type Channel } from '../channel/channel.ts'
import { describeChanges, recordsFor, type ChangedRow, type Variant } from './changed-rows.ts'
import { matchFilters } from './matching.ts'
import { describeRelations, mayRead, type Relation } from './relation.ts'
import type { ChangeKind, Subscription } from './subscription.ts'
import { visibleRows } from './visibility.ts'

export interface Change {
  id: string
  kind: ChangeKind
  relation: number
}

/** A change, for one channel: the ids of those of its subscriptions that it concerns. */
export interface Delivery {
  channel: Channel
  ids: number[]
  /** JSON text; the same for many channels. */
  data: string
}

export interface DeliveryParts {
  database: Database
  publication: string
  log: { error(fields: object, message: string): void }
  subscriptionsTo: (relation: Relation, kind: ChangeKind) => Subscription[]
  /** Ends a subscription whose filter PostgreSQL cannot work out. */
  giveUp: (subscription: Subscription, reason: string) => void
}

type Wanted = Map<Subscription, Set<string>>

/** Works out who gets which changes; nothing is sent before all of it is known. */
export async function planDeliveries(parts: DeliveryParts, changes: Change[]): Promise<Delivery[]> {
  const byRelation = Map.groupBy(changes, ({ relation }) => relation)
  const relations = await describeRelations(parts.database.owner, parts.publication, [...byRelation.keys()])
  const deliveries: Delivery[][] = []
  for (const relation of relations) {
    deliveries.push(await deliveriesOf(parts, relation, byRelation.get(relation.oid) ?? []))
  }
  return deliveries.flat()
}

async function deliveriesOf(
  parts: DeliveryParts,
  relation: Relation,
  changes: Change[],
): Promise<Delivery[]> {
  const wanted = await withFilters(parts, relation, interested(parts, relation, changes))
  const entryIds = [...new Set([...wanted.values()].flatMap((ids) => [...ids]))]
  if (entryIds.length === 0) return []

  const rows = await describeChanges(parts.database.owner, relation, entryIds)
  const seen = await withPolicies(parts, relation, { wanted, rows })
  return write(parts.database.owner, relation, { wanted: seen, rows })
}

function interested(parts: DeliveryParts, relation: Relation, changes: Change[]): Wanted {
  const wanted: Wanted = new Map()
  for (const { id, kind } of changes) {
    for (const subscription of parts.subscriptionsTo(relation, kind)) {
      if (!mayRead(relation, subscription.channel.caller.role)) continue
      const ids = wanted.get(subscription) ?? new Set()
      wanted.set(subscription, ids.add(id))
    }
  }
  return wanted
}

/** Takes away what the filters exclude. */
async function withFilters(parts: DeliveryParts, relation: Relation, wanted: Wanted): Promise<Wanted> {
  const filtered = [...wanted.keys()].filter(({ conditions }) => conditions.length > 0)
  for (const [, alike] of Map.groupBy(filtered, shapeOf)) {
    const distinct = Map.groupBy(alike, ({ conditions }) => JSON.stringify(conditions))
    const filters = [...distinct.values()].map(([first]) => first?.conditions ?? [])
    const entryIds = [...new Set(alike.flatMap((each) => [...(wanted.get(each) ?? [])]))]
    try {
      const matches = await matchFilters(parts.database.owner, relation, { entryIds, filters })
      for (const [index, subscriptions] of [...distinct.values()].entries()) {
        const matched = matches[index] ?? new Set()
        for (const each of subscriptions)
          wanted.set(each, new Set([...(wanted.get(each) ?? [])].filter((id) => matched.has(id))))
      }
    } catch (error) {
      if (!(error instanceof Error) || !('severity' in error)) throw error
      for (const each of alike) {
        wanted.delete(each)
        parts.giveUp(each, error.message)
      }
    }
  }
  return wanted
}

/** Filters of one shape are judged together; a regular expression of somebody's stands alone, since it may be slow. */
function shapeOf({ conditions }: Subscription): string {
  return JSON.stringify(
    conditions.map((condition) =>
      condition.operator.endsWith('match') || condition.operator === 'is'
        ? condition
        : { ...condition, value: '' },
    ),
  )
}

/** Takes away what row-level security hides. NOTE: not from deletions, as on the hosted product: the row is gone. */
async function withPolicies(
  parts: DeliveryParts,
  relation: Relation,
  { wanted, rows }: { wanted: Wanted; rows: Map<string, ChangedRow> },
): Promise<Wanted> {
  if (!relation.hasPolicies || relation.key.length === 0) return wanted
  const isGuarded = (id: string) => rows.get(id)?.kind !== 'delete'
  const audiences = [...Map.groupBy(wanted.keys(), ({ channel }) => audienceOf(channel.caller)).values()]
  for (const alike of Map.groupBy(audiences, ([first]) => first?.channel.caller.role).values()) {
    const asked = alike.map((subscriptions) =>
      [...new Set(subscriptions.flatMap((each) => [...(wanted.get(each) ?? [])]))].filter(isGuarded),
    )
    const visible = await visibleIds(parts, relation, { audiences: alike, asked, rows })
    for (const [index, subscriptions] of alike.entries()) {
      for (const each of subscriptions) {
        const kept = [...(wanted.get(each) ?? [])].filter((id) => !isGuarded(id) || visible[index]?.has(id))
        wanted.set(each, new Set(kept))
      }
    }
  }
  return wanted
}

interface Asked {
  /** Subscriptions of those who see the same. */
  audiences: Subscription[][]
  /** For each audience the entries that it waits for. */
  asked: string[][]
  rows: Map<string, ChangedRow>
}

async function visibleIds(
  parts: DeliveryParts,
  relation: Relation,
  { audiences, asked, rows }: Asked,
): Promise<Set<string>[]> {
  const askers = audiences.map(([first], index) => ({
    caller: first?.channel.caller ?? visitor,
    keys: (asked[index] ?? []).map((id) => rows.get(id)?.key ?? '{}'),
  }))
  const answers = await visibleRows(parts.database, relation, askers)
  return answers.map((positions, index) => {
    if (positions instanceof Set)
      return new Set(asked[index]?.filter((_, position) => positions.has(position)))
    // A policy that fails shows nothing.
    parts.log.error(
      { err: positions, table: `${relation.schema}.${relation.name}` },
      'a policy failed for a live change',
    )
    return new Set()
  })
}

interface Decided {
  wanted: Wanted
  rows: Map<string, ChangedRow>
}

/** One text for all who read the same columns of a change. */
async function write(owner: Pool, relation: Relation, { wanted, rows }: Decided): Promise<Delivery[]> {
  const deliveries: (Delivery & { entry: bigint })[] = []
  const variants = Map.groupBy(wanted.keys(), ({ channel, selected }) =>
    JSON.stringify([channel.caller.role, selected]),
  )
  for (const alike of variants.values()) {
    const [first] = alike
    if (!first) continue
    const variant: Variant = { role: first.channel.caller.role, selected: first.selected }
    const ids = new Set(alike.flatMap((each) => [...(wanted.get(each) ?? [])]))
    const texts = await recordsFor(owner, relation, {
      variant,
      rows: [...rows.values()].filter(({ id }) => ids.has(id)),
    })
    for (const [channel, subscriptions] of Map.groupBy(alike, (each) => each.channel)) {
      for (const [id, data] of texts) {
        const concerned = subscriptions.filter((each) => wanted.get(each)?.has(id)).map((each) => each.id)
        if (concerned.length > 0) deliveries.push({ channel, ids: concerned, data, entry: BigInt(id) })
      }
    }
  }
  return deliveries.toSorted((left, right) => Number(left.entry - right.entry))
}
