import type { DatabasePools } from '#backend/database/pool.ts'

import { audienceOf, type Subscription } from '../channel/channel.ts'
import { TOO_SLOW, type Condition, type Operator } from './filter.ts'
import { matchFilters } from './matching.ts'
import type { PublishedTable } from './published-table.ts'

/** The ids of the changes that concern each subscription. */
export type EntriesBySubscription = Map<Subscription, Set<string>>

/** Returns the ids of all changes that concern any of the subscriptions. */
export function idsOf(entries: EntriesBySubscription, subscriptions: Iterable<Subscription>): string[] {
  return [...new Set([...subscriptions].flatMap((each) => [...(entries.get(each) ?? [])]))]
}

/** Keeps the ids for which `isKept` holds. */
export function keepIds(
  entries: EntriesBySubscription,
  subscriptions: Subscription[],
  isKept: (id: string) => boolean,
): void {
  for (const each of subscriptions) entries.set(each, new Set([...(entries.get(each) ?? [])].filter(isKept)))
}

interface FilterParts {
  database: DatabasePools
  /** Called for a subscription whose filter fails in PostgreSQL. */
  endSubscription: (subscription: Subscription, reason: string) => void
}

/**
 * Patterns can fail or time out, depending on the row, and the subscriber is told: they are applied after the policies, so that this
 * reveals nothing about hidden rows. Other conditions cannot, and spare the policies most rows.
 */
const PATTERNS = new Set<Operator>(['like', 'ilike', 'match', 'imatch'])

/** How long the patterns of one account may hold up the changes for all others. */
const PATTERNS_MS = 500

/** Removes changes that do not match the conditions without patterns. */
export async function applyConditions(
  parts: FilterParts,
  relation: PublishedTable,
  entries: EntriesBySubscription,
): Promise<EntriesBySubscription> {
  for (const alike of groupsOf([...entries.keys()], plainConditions))
    await removeUnmatched(parts, relation, { entries, alike, conditionsOf: plainConditions })
  return entries
}

/** Removes changes that do not match the patterns. Ends the subscriptions of an account whose patterns take too long together. */
export async function applyPatterns(
  parts: FilterParts,
  relation: PublishedTable,
  entries: EntriesBySubscription,
): Promise<EntriesBySubscription> {
  const concerned = [...entries].flatMap(([subscription, ids]) => (ids.size > 0 ? [subscription] : []))
  // Accounts see different rows, and a pattern that fails ends those that are evaluated with it.
  for (const audience of Map.groupBy(concerned, ({ channel }) => audienceOf(channel.caller)).values()) {
    const endsAt = performance.now() + PATTERNS_MS
    for (const alike of groupsOf(audience, patterns)) {
      if (performance.now() < endsAt)
        await removeUnmatched(parts, relation, { entries, alike, conditionsOf: patterns })
      else endAll(parts, { entries, alike, reason: TOO_SLOW })
    }
  }
  return entries
}

function isPattern({ operator }: Condition): boolean {
  return PATTERNS.has(operator)
}

type ConditionsOf = (subscription: Subscription) => Condition[]

const plainConditions: ConditionsOf = ({ conditions }) => conditions.filter((each) => !isPattern(each))
const patterns: ConditionsOf = ({ conditions }) => conditions.filter(isPattern)

/** Returns the subscriptions with conditions, those of the same shape together: their filters are evaluated in one query. */
function groupsOf(subscriptions: Subscription[], conditionsOf: ConditionsOf): Subscription[][] {
  const filtered = subscriptions.filter((each) => conditionsOf(each).length > 0)
  return [...Map.groupBy(filtered, (each) => shapeOf(conditionsOf(each))).values()]
}

/** Regular expressions are evaluated alone, because they may be slow. */
function shapeOf(conditions: Condition[]): string {
  return JSON.stringify(
    conditions.map((condition) =>
      condition.operator.endsWith('match') || condition.operator === 'is'
        ? condition
        : { ...condition, value: '' },
    ),
  )
}

interface Alike {
  entries: EntriesBySubscription
  alike: Subscription[]
}

async function removeUnmatched(
  parts: FilterParts,
  relation: PublishedTable,
  { entries, alike, conditionsOf }: Alike & { conditionsOf: ConditionsOf },
): Promise<void> {
  const distinct = Map.groupBy(alike, (each) => JSON.stringify(conditionsOf(each)))
  const filters = [...distinct.values()].map(([first]) => (first ? conditionsOf(first) : []))
  try {
    const entryIds = idsOf(entries, alike)
    const matches = await matchFilters(parts.database.owner, relation, { entryIds, filters })
    for (const [index, subscriptions] of [...distinct.values()].entries()) {
      const matched = matches[index]
      keepIds(entries, subscriptions, (id) => matched?.has(id) ?? false)
    }
  } catch (error) {
    if (!(error instanceof Error) || !('severity' in error)) throw error
    endAll(parts, { entries, alike, reason: error.message })
  }
}

function endAll(
  { endSubscription }: FilterParts,
  { entries, alike, reason }: Alike & { reason: string },
): void {
  for (const each of alike) {
    entries.delete(each)
    endSubscription(each, reason)
  }
}
