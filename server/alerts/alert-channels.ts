import type { Pool, PoolClient } from 'pg'
import { jsonObject, postMessage, type TaskList } from '@saltfreak/backend'
import { queueMail } from '#emails/outbox/queue-mail.ts'
import { outboxDelivery } from '#emails/outbox/transport.ts'
import type { Settings } from '../settings.ts'
import type { Alert } from './alert.ts'

/** With the queue's growing delays, about nine hours. */
const MAX_ATTEMPTS = 12

export type ChannelSettings = Pick<
  Settings,
  'smtpUrl' | 'mailFrom' | 'isLocal' | 'shopEmail' | 'publicUrl' | 'alertUrl'
>

/** Queues the mail and the call of the webhook, in the transaction that records the alert; `now` is the time of the finding. */
export async function queueAlert(
  client: Pool | PoolClient,
  alert: Alert,
  { alertUrl, now }: ChannelSettings & { now: Date },
): Promise<void> {
  const { component, state } = alert
  await queueMail(client, {
    // Not the alert's `since`: a component that failed, was only a warning for a while and fails again has the same.
    key: `alert:${component}:${now.toISOString()}:${state}`,
    template: 'alert',
    recipient: null,
    props: alert,
  })
  if (!alertUrl) return
  await client.query('select graphile_worker.add_job($1, payload => $2, max_attempts => $3)', [
    'send_alert',
    JSON.stringify(alert),
    MAX_ATTEMPTS,
  ])
}

export type AlertChannel = 'mail' | 'webhook'

/** Returns a function for each channel that sends an alert at once, without the database. Each throws when its server refuses. */
export function alertChannels(
  settings: ChannelSettings,
): Partial<Record<AlertChannel, (alert: Alert) => Promise<void>>> {
  const { alertUrl, publicUrl, shopEmail } = settings
  const deliver = outboxDelivery(settings)
  return {
    ...(deliver && {
      async mail(alert: Alert) {
        const { renderMail } = await import('#emails/render-mail.ts')
        const { subject, html, text } = await renderMail('alert', alert, publicUrl)
        const messageId = `<${crypto.randomUUID()}@${new URL(publicUrl).hostname}>`
        await deliver({ messageId, to: shopEmail, replyTo: null, subject, html, text, unsubscribeUrl: null })
      },
    }),
    ...(alertUrl && { webhook: (alert: Alert) => postMessage(alertUrl, alert) }),
  }
}

/** The job that posts an alert to `ALERT_URL`. */
export function alertTasks({ alertUrl }: Pick<Settings, 'alertUrl'>) {
  return {
    async send_alert(payload) {
      if (alertUrl) await postMessage(alertUrl, jsonObject.parse(payload))
    },
  } satisfies TaskList
}
