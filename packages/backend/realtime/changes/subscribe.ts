import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'

import { sendSystemMessage, type Channel, type Subscription } from '../channel/channel.ts'
import type { Hub } from '../hub.ts'
import type { ChangesRequest } from '../protocol/join-request.ts'
import { FilterError } from './filter.ts'
import { checkConditions } from './matching.ts'
import {
  findRelations,
  mayRead,
  type Publication,
  type PublishedTable,
  watchTables,
} from './published-table.ts'
import { bindingId, parseWatch, type Watch } from './subscription.ts'
import type { Log } from '#backend/process/log.ts'

const RETRY_DELAY_MS = 5_000

export interface SubscribeOptions {
  publication: Publication
  hub: Hub
  log: Pick<Log, 'error' | 'warn'>
}

/**
 * Subscribes the channel to changes and reports the result in a system message. Returns an error message, or null on success.
 * Retries until the channel closes if the database does not answer; does not retry invalid requests.
 */
export async function subscribe(
  options: SubscribeOptions,
  channel: Channel,
  requests: ChangesRequest[],
): Promise<string | null> {
  const { publication, hub, log } = options
  try {
    const subscriptions = await subscriptionsFor(publication, channel, requests)
    if (!isJoined(channel)) return null
    hub.subscribe(channel, subscriptions)
    sendStatus(channel, 'ok', 'Subscribed to PostgreSQL')
    return null
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) {
      log.error({ err: error }, 'Could not subscribe a channel to changes')
      sendStatus(channel, 'error', 'Unable to subscribe to changes: the database does not answer')
      void retry(options, channel, requests)
      return 'the database does not answer'
    }
    sendStatus(channel, 'error', reason)
    return reason
  }
}

async function retry(options: SubscribeOptions, channel: Channel, requests: ChangesRequest[]): Promise<void> {
  await pause(RETRY_DELAY_MS, undefined, { ref: false })
  if (isJoined(channel)) await subscribe(options, channel, requests)
}

function isJoined(channel: Channel): boolean {
  return channel.connection.channels.get(channel.topic) === channel
}

async function subscriptionsFor(
  publication: Publication,
  channel: Channel,
  requests: ChangesRequest[],
): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  for (const request of requests) {
    const watch = parseWatch(request)
    await checkWatch(publication, watch, channel.caller.role)
    subscriptions.push({ ...watch, id: bindingId(request), channel })
  }
  return subscriptions
}

/** Throws when the role may read none of the tables or the filter is invalid. */
async function checkWatch(publication: Publication, watch: Watch, role: string): Promise<void> {
  const relations = (await findRelations(publication, watch)).filter((each) => mayRead(each, role))
  if (relations.length === 0) {
    throw new FilterError(
      `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${describeWatch(watch)}]`,
    )
  }
  if (relations.some(({ hasTriggers }) => !hasTriggers)) await watchTables(publication)
  for (const relation of relations) await checkColumns(publication.owner, { relation, watch, role })
}

async function checkColumns(
  owner: Pool,
  { relation, watch, role }: { relation: PublishedTable; watch: Watch; role: string },
): Promise<void> {
  const { conditions, selected } = watch
  const isReadable = (name: string) =>
    relation.columns.some((column) => column.name === name && column.readers.includes(role))
  const problem = (reason: string) =>
    new FilterError(
      `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${describeWatch(watch)}]. Exception: ${reason}`,
    )
  const unknown = selected?.find((name) => !isReadable(name))
  if (unknown !== undefined) throw problem(`invalid column for select ${unknown}`)
  try {
    await checkConditions(owner, relation, { conditions, role })
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === null ? error : problem(reason)
  }
}

function describeWatch({ kind, schema, table, conditions, selected }: Watch): string {
  const filters = conditions.map(({ column, isNegated, operator, value }) => [
    column,
    `${isNegated ? 'not.' : ''}${operator}`,
    value,
  ])
  const event = kind?.toUpperCase() ?? '*'
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: ${JSON.stringify(filters)}, select: ${JSON.stringify(selected)}`
}

/** Returns a message for an error that the client caused, otherwise null. */
function reasonOf(error: unknown): string | null {
  if (error instanceof FilterError) return error.message
  // Class 22 is a data exception (invalid value for the column), class 42 a syntax error or missing operator.
  if (error instanceof DatabaseError && /^(22|42)/.test(error.code ?? '')) return error.message
  return null
}

function sendStatus(channel: Channel, status: 'ok' | 'error', message: string): void {
  sendSystemMessage(channel, { extension: 'postgres_changes', status, message })
}
