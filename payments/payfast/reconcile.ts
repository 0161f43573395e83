import { selectRows } from '@saltfreak/backend'
import type { Pool } from 'pg'
import { z } from 'zod'

import type { PayfastAccount } from './account.ts'
import { fetchFromApi } from './api.ts'
import { readHistory } from './history.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Notices may arrive days late. */
const DAYS_BACK = 4

interface ReconcileParts {
  owner: Pool
  account: PayfastAccount
  log: { info(fields: object, message: string): void }
}

const reconciliation = z.object({ differences: z.number() })

/** The job `reconcile_payments`: compares the ledger with PayFast's history and creates payment issues for differences. */
export async function reconcile({ owner, account, log }: ReconcileParts): Promise<void> {
  // Only a live account has a transaction history.
  if (account.mode !== 'live') return

  const to = southAfricanDay(Date.now())
  const from = southAfricanDay(Date.now() - DAYS_BACK * DAY_MS)
  const history = readHistory(await fetchFromApi(account, '/transactions/history', { from, to }))
  const [result] = await selectRows(owner, reconciliation, [
    'select private.reconcile($1, $2, $3) as differences',
    from,
    to,
    JSON.stringify(history),
  ])
  log.info(
    { from, to, transactions: history.length, differences: result?.differences },
    'Reconciled the payments',
  )
}

/** Returns a date such as `2026-11-21`; PayFast uses South African days. */
function southAfricanDay(time: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Johannesburg' }).format(time)
}
