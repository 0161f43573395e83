import { selectRows } from '@saltfreak/backend'
import type { Pool } from 'pg'
import { z } from 'zod'

const TIMEOUT_MS = 15_000

const undeliveredNotice = z.object({ body: z.string(), notify_url: z.string() })

/**
 * Posts a notice to the shop's public URL, or several copies at the same moment. Throws unless each response is `200`, so that the job
 * queue retries with exponential backoff, as PayFast does. Does nothing once the notice is delivered.
 */
export async function deliverNotice(owner: Pool, noticeId: string, copies = 1): Promise<void> {
  const [notice] = await selectRows(owner, undeliveredNotice, [
    `select n.body, p.form ->> 'notify_url' as notify_url
     from simulator.notices n join simulator.payments p on p.id = n.payment_id
     where n.id = $1 and n.delivered_at is null`,
    noticeId,
  ])
  if (!notice) return
  await Promise.all(Array.from({ length: copies }, () => post(notice)))
  await owner.query('update simulator.notices set delivered_at = now() where id = $1', [noticeId])
}

async function post({ body, notify_url }: z.infer<typeof undeliveredNotice>): Promise<void> {
  const answer = await fetch(notify_url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Payment simulator' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (answer.status !== 200) throw new Error(`The shop answered the notice with ${answer.status}`)
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
