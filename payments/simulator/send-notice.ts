import { selectRows } from '@saltfreak/backend'
import type { Pool } from 'pg'
import { z } from 'zod'

const TIMEOUT_MS = 15_000

const undeliveredNotice = z.object({ body: z.string(), notify_url: z.string() })

/**
 * Posts a notice to the shop's public URL. Throws unless the response is `200`, so that the job queue retries with exponential
 * backoff, as PayFast does.
 */
export async function deliverNotice(owner: Pool, noticeId: string): Promise<void> {
  const [notice] = await selectRows(owner, undeliveredNotice, [
    `select n.body, p.form ->> 'notify_url' as notify_url
     from simulator.notices n join simulator.payments p on p.id = n.payment_id
     where n.id = $1 and n.delivered_at is null`,
    noticeId,
  ])
  if (!notice) return

  const answer = await fetch(notice.notify_url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Payment simulator' },
    body: notice.body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (answer.status !== 200) throw new Error(`The shop answered the notice with ${answer.status}`)
  await owner.query('update simulator.notices set delivered_at = now() where id = $1', [noticeId])
}

export type ConfirmationResult = 'VALID' | 'INVALID' | 'OUTAGE'

const knownNotice = z.object({ is_silent: z.boolean().nullable() })

/** Returns the confirmation endpoint's answer for a parameter string. */
export async function confirmNotice(owner: Pool, parameters: string): Promise<ConfirmationResult> {
  const [notice] = await selectRows(owner, knownNotice, [
    `select silent_until > now() as is_silent from simulator.notices
     where md5(parameters) = md5($1) and parameters = $1 and known limit 1`,
    parameters.replaceAll('\0', ''),
  ])
  if (!notice) return 'INVALID'
  return notice.is_silent ? 'OUTAGE' : 'VALID'
}
