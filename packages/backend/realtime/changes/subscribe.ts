import { setTimeout as pause } from 'node:timers/promises'

import { sendSystemMessage, type Channel, type Subscription } from '../channel/channel.ts'
import type { Hub } from '../hub.ts'
import type { ChangesRequest } from '../protocol/join-request.ts'
import { checkWatch, reasonOf } from './check-watch.ts'
import type { Publication } from './published-table.ts'
import { bindingId, parseWatch } from './subscription.ts'
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

function sendStatus(channel: Channel, status: 'ok' | 'error', message: string): void {
  sendSystemMessage(channel, { extension: 'postgres_changes', status, message })
}
