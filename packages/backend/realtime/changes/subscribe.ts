import { setTimeout as pause } from 'node:timers/promises'

import { isJoined, sendSystemMessage, type Channel, type Subscription } from '../channel/channel.ts'
import type { JoinQueue } from '../channel/join-queue.ts'
import type { Hub } from '../hub.ts'
import type { ChangesRequest } from '../protocol/join-request.ts'
import { checkWatch, reasonOf } from './check-watch.ts'
import { FilterError } from './filter.ts'
import { PatternBudget } from './matching.ts'
import type { Publication } from './published-table.ts'
import { bindingId, parseWatch } from './subscription.ts'
import type { Log } from '#backend/process/log.ts'

const RETRY_DELAY_MS = 5_000
const MAX_RETRY_DELAY_MS = 60_000

/** Of all filters of one join: PostgreSQL checks each on its own. */
const MAX_CONDITIONS = 200

export interface SubscribeOptions {
  publication: Publication
  hub: Hub
  joinQueue: JoinQueue
  log: Pick<Log, 'error' | 'warn'>
}

/**
 * Subscribes the channel to changes and reports the result in a system message. Returns an error message, or null on success.
 * Retries with growing delays until the channel closes if the database does not answer; does not retry invalid requests.
 */
// oxlint-disable-next-line max-params -- the delay is of the next try only
export async function subscribe(
  options: SubscribeOptions,
  channel: Channel,
  requests: ChangesRequest[],
  retryDelayMs = RETRY_DELAY_MS,
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
      void retry(options, channel, requests, retryDelayMs)
      return 'the database does not answer'
    }
    sendStatus(channel, 'error', reason)
    return reason
  }
}

// oxlint-disable-next-line max-params -- those of `subscribe`
async function retry(
  options: SubscribeOptions,
  channel: Channel,
  requests: ChangesRequest[],
  delayMs: number,
): Promise<void> {
  await pause(delayMs, undefined, { ref: false })
  if (!isJoined(channel)) return
  await options.joinQueue.run(channel.connection, async () => {
    if (!isJoined(channel)) return
    await subscribe(options, channel, requests, Math.min(2 * delayMs, MAX_RETRY_DELAY_MS))
  })
}

async function subscriptionsFor(
  publication: Publication,
  channel: Channel,
  requests: ChangesRequest[],
): Promise<Subscription[]> {
  const subscriptions = requests.map((request) => ({
    ...parseWatch(request),
    id: bindingId(request),
    channel,
  }))
  const conditions = subscriptions.reduce((sum, each) => sum + each.conditions.length, 0)
  if (conditions > MAX_CONDITIONS)
    throw new FilterError(`too many conditions in the filters of a channel. Maximum ${MAX_CONDITIONS}`)
  const subscriber = { role: channel.caller.role, budget: new PatternBudget() }
  for (const watch of subscriptions) await checkWatch(publication, watch, subscriber)
  return subscriptions
}

function sendStatus(channel: Channel, status: 'ok' | 'error', message: string): void {
  sendSystemMessage(channel, { extension: 'postgres_changes', status, message })
}
