import type { PoolClient } from 'pg'
import { z } from 'zod'
import { selectRow, selectRows } from '@saltfreak/backend'
import type { OpenAlert } from './alert.ts'

const time = z.date().transform((value) => value.toISOString())

const openRow = z
  .object({
    component: z.string(),
    state: z.enum(['warning', 'failed']),
    message: z.string(),
    action: z.string().nullable(),
    raised_at: time,
    ok_since: time.nullable(),
    earlier: z.coerce.number(),
  })
  .transform(({ raised_at: since, ok_since: okSince, ...row }): OpenAlert => ({ ...row, since, okSince }))

const lockRow = z.object({ is_locked: z.boolean() })

/** Returns the open alerts by component, or null when another process decides at the moment. */
export async function lockOpenAlerts(client: PoolClient): Promise<Map<string, OpenAlert> | null> {
  const { is_locked: isLocked } = await selectRow(client, lockRow, [
    'select private.lock_alerts() as is_locked',
  ])
  if (!isLocked) return null
  const rows = await selectRows(client, openRow, ['select * from private.open_alerts'])
  return new Map(rows.map((row) => [row.component, row]))
}

export async function saveAlert(client: PoolClient, { okSince, ...alert }: OpenAlert): Promise<void> {
  await client.query('select private.save_alert($1)', [JSON.stringify({ ...alert, ok_since: okSince })])
}

export async function clearAlert(client: PoolClient, component: string): Promise<void> {
  await client.query('select private.clear_alert($1)', [component])
}
