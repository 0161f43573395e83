import type { Logger } from 'pino'
import type { Alert } from './alert.ts'
import { alertChannels, type AlertChannel, type ChannelSettings } from './alert-channels.ts'

export interface DirectSender {
  add(this: void, alerts: Alert[]): void
  /** Tries every alert that has not been accepted. Never rejects. */
  send(this: void): Promise<void>
}

interface Unsent {
  alert: Alert
  channel: AlertChannel
  giveUpAt: number
}

const GIVE_UP_AFTER_MS = 24 * 3_600_000

/** Sends alerts without the database and the job queue. What a server refuses is tried again with the next `send`, for a day. */
export function createDirectSender(settings: ChannelSettings, log: Pick<Logger, 'warn'>): DirectSender {
  const channels = alertChannels(settings)
  const names = (['mail', 'webhook'] as const).filter((channel) => channels[channel])
  let unsent: Unsent[] = []

  async function trySend(each: Unsent): Promise<Unsent | null> {
    try {
      await channels[each.channel]?.(each.alert)
      return null
    } catch (error) {
      log.warn({ err: error, channel: each.channel }, 'an alert could not be sent')
      return Date.now() < each.giveUpAt ? each : null
    }
  }

  return {
    add(alerts) {
      const giveUpAt = Date.now() + GIVE_UP_AFTER_MS
      unsent.push(...alerts.flatMap((alert) => names.map((channel) => ({ alert, channel, giveUpAt }))))
    },
    async send() {
      const results = await Promise.all(unsent.map(trySend))
      unsent = results.filter((each) => each !== null)
    },
  }
}
