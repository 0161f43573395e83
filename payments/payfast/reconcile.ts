import { selectRow } from '@saltfreak/backend'
import type { Pool } from 'pg'
import { z } from 'zod'

import { todayInSouthAfrica } from '#domain/today.ts'

import type { PayfastAccount } from './account.ts'
import { fetchFromApi } from './api.ts'
import { readHistory } from './history.ts'

/** Notices may arrive days late. */
const DAYS_BACK = 4
/** After months without a live account, the request would time out, or list what another shop received. */
const MOST_DAYS_BACK = 60

interface ReconcileParts {
  owner: Pool
  account: PayfastAccount
  log: { info(fields: object, message: string): void }
}

const period = z.object({ from: z.string() })
/**
 * Goes back to the day before the last comparison, so that no day is left out after PayFast's history did not answer for days. The
 * last day of that comparison was not over.
 */
const FIRST_DAY = `select greatest($1::date - $3::int, least($1::date - $2::int, max(to_day) - 1))::text as "from"
  from public.payment_reconciliations`

const reconciliation = z.object({ differences: z.number() })

/** The job `reconcile_payments`: compares the ledger with PayFast's history and creates payment issues for differences. */
export async function reconcile({ owner, account, log }: ReconcileParts): Promise<void> {
  // Only a live account has a transaction history.
  if (account.mode !== 'live') return

  // PayFast uses South African days.
  const to = todayInSouthAfrica(new Date())
  const { from } = await selectRow(owner, period, [FIRST_DAY, to, DAYS_BACK, MOST_DAYS_BACK])
  const history = readHistory(await fetchFromApi(account, '/transactions/history', { from, to }))
  const { differences } = await selectRow(owner, reconciliation, [
    'select private.reconcile($1, $2, $3) as differences',
    from,
    to,
    JSON.stringify(history),
  ])
  log.info({ from, to, transactions: history.length, differences }, 'Reconciled the payments')
}
