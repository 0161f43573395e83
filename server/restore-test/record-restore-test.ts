import { isDeepStrictEqual } from 'node:util'
import { selectRow } from '@saltfreak/backend'
import type { Pool } from 'pg'
import { z } from 'zod'
import { type LedgerTotals, ledgerTotals, type RestoreTestResult } from './test-restore.ts'

/** Compares a restored copy with the shop, and records what the test found for the owner to see. Returns all problems. */
export async function recordRestoreTest(
  owner: Pool,
  { backup, problems, ledger }: RestoreTestResult,
): Promise<string[]> {
  const found = [...problems, ...(await differences(owner, ledger))]
  await owner.query('insert into private.restore_tests (backup, problems) values ($1, $2)', [backup, found])
  return found
}

const totalsRow = z.object({ totals: ledgerTotals })

async function differences(owner: Pool, ledger: RestoreTestResult['ledger']): Promise<string[]> {
  if (!ledger) return []
  const { until } = ledger
  const { totals } = await selectRow(owner, totalsRow, ['select private.ledger_totals($1) as totals', until])
  if (isDeepStrictEqual(totals, ledger.totals)) return []
  return [`until ${until} the shop has ${inWords(totals)}, the copy ${inWords(ledger.totals)}`]
}

function inWords({ payments, received, refunds, requested_back: back }: LedgerTotals): string {
  return `${payments} payments of R ${received} and ${refunds} refunds of R ${back}`
}
