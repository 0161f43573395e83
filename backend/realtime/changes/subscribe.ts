import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError } from 'pg'

import { tellSystem, type Channel } from '../channel/channel.ts'
import type { RealtimeParts } from '../parts.ts'
import type { ChangesRequest } from '../protocol/join-request.ts'
import { FilterError } from './filter.ts'
import { checkConditions } from './matching.ts'
import { findRelations, mayRead, type Relation } from './relation.ts'
import { idOf, parseWatch, type Subscription, type Watch } from './subscription.ts'

const AGAIN_AFTER_MS = 5_000

/**
 * Subscribes the channel to changes and says so by a system message. Answers what is wrong, null when all is well. A
 * database that does not answer is asked again until the channel is gone; requests that cannot be served are not.
 */
export async function subscribe(
  parts: RealtimeParts,
  channel: Channel,
  requests: ChangesRequest[],
): Promise<string | null> {
  try {
    const subscriptions = await subscriptionsFor(parts, channel, requests)
    if (!isJoined(channel)) return null
    parts.hub.subscribe(channel, subscriptions)
    tell(channel, 'ok', 'Subscribed to PostgreSQL')
    return null
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) {
      parts.log.error({ err: error }, 'a channel could not be subscribed to changes')
      tell(channel, 'error', 'Unable to subscribe to changes: the database does not answer')
      void tryAgain(parts, channel, requests)
      return 'the database does not answer'
    }
    tell(channel, 'error', reason)
    return reason
  }
}

async function tryAgain(parts: RealtimeParts, channel: Channel, requests: ChangesRequest[]): Promise<void> {
  await pause(AGAIN_AFTER_MS, undefined, { ref: false })
  if (isJoined(channel)) await subscribe(parts, channel, requests)
}

function isJoined(channel: Channel): boolean {
  return channel.connection.channels.get(channel.topic) === channel
}

async function subscriptionsFor(
  parts: RealtimeParts,
  channel: Channel,
  requests: ChangesRequest[],
): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  for (const request of requests) {
    const watch = parseWatch(request)
    await check(parts, watch, channel.caller.role)
    subscriptions.push({ ...watch, id: idOf(request), channel })
  }
  return subscriptions
}

/** Throws when the role may watch none of the tables, or not in this way. */
async function check(parts: RealtimeParts, watch: Watch, role: string): Promise<void> {
  const { owner } = parts.database
  const relations = (await findRelations(owner, parts.publication, watch)).filter((each) =>
    mayRead(each, role),
  )
  if (relations.length === 0) {
    throw new FilterError(
      `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${described(watch)}]`,
    )
  }
  if (relations.some(({ isWatched }) => !isWatched)) await watchTables(parts)
  for (const relation of relations) await checkColumns(parts, { relation, watch, role })
}

/** The publication has tables that it had not when this process started. */
export async function watchTables({
  database,
  publication,
}: Pick<RealtimeParts, 'database' | 'publication'>) {
  await database.owner.query('select realtime_feed.watch($1)', [publication])
}

interface Checked {
  relation: Relation
  watch: Watch
  role: string
}

async function checkColumns(parts: RealtimeParts, { relation, watch, role }: Checked): Promise<void> {
  const { conditions, selected } = watch
  const isReadable = (name: string) =>
    relation.columns.some((column) => column.name === name && column.readers.includes(role))
  const problem = (reason: string) =>
    new FilterError(
      `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${described(watch)}]. Exception: ${reason}`,
    )
  const unknown = selected?.find((name) => !isReadable(name))
  if (unknown !== undefined) throw problem(`invalid column for select ${unknown}`)
  try {
    await checkConditions(parts.database.owner, relation, { conditions, role })
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === null ? error : problem(reason)
  }
}

function described({ kind, schema, table, conditions, selected }: Watch): string {
  const filters = conditions.map(({ column, isNegated, operator, value }) => [
    column,
    `${isNegated ? 'not.' : ''}${operator}`,
    value,
  ])
  const event = kind?.toUpperCase() ?? '*'
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: ${JSON.stringify(filters)}, select: ${JSON.stringify(selected)}`
}

/** What the client did wrong in words, or null when it is not to blame. */
function reasonOf(error: unknown): string | null {
  if (error instanceof FilterError) return error.message
  // Data exceptions (a value that its column cannot take) and what cannot be parsed or compared.
  if (error instanceof DatabaseError && /^(22|42)/.test(error.code ?? '')) return error.message
  return null
}

function tell(channel: Channel, status: 'ok' | 'error', message: string): void {
  tellSystem(channel, { extension: 'postgres_changes', status, message })
}
