import { errorMessage, selectRow, selectRows, type TriedCopy, tryRestore } from '@saltfreak/backend'
import { z } from 'zod'

/** What `private.ledger_totals` returns. */
export const ledgerTotals = z.object({
  payments: z.number(),
  received: z.number(),
  refunds: z.number(),
  requested_back: z.number(),
})

export type LedgerTotals = z.infer<typeof ledgerTotals>

export const restoreTestResult = z.object({
  /** The backup that was restored; null when none could be. */
  backup: z.string().nullable(),
  /** A sentence each; empty if the backup is complete. */
  problems: z.array(z.string()),
  /** The copy's sums of everything until this moment; null for a backup of an older version. */
  ledger: z.object({ until: z.iso.datetime(), totals: ledgerTotals }).nullable(),
})

export type RestoreTestResult = z.infer<typeof restoreTestResult>

interface RestoreTestOptions {
  /** A folder of backups. */
  from: string
  passphrase: string | null
  /** Holds the copy meanwhile. */
  scratch: string
}

/** A payment that was recorded before the end of the backup, but not yet committed, is missing from the copy. */
const UNCOMMITTED_MS = 60_000

/** Restores the newest backup of a folder into a scratch folder and checks the copy. Never changes the shop, and in the folder only sets damaged pictures and films aside. */
export async function testRestore(options: RestoreTestOptions): Promise<RestoreTestResult> {
  try {
    return await tryRestore(options, checkCopy)
  } catch (error) {
    // Whatever prevents a restore is what the test looks for.
    return { backup: null, problems: [errorMessage(error)], ledger: null }
  }
}

const checkable = z.object({ isCheckable: z.boolean() })
const ruleViolation = z.object({ rule: z.string(), rows: z.number() })
const totalsRow = z.object({ totals: ledgerTotals })

async function checkCopy({ backup, client, skipped, missingFiles }: TriedCopy): Promise<RestoreTestResult> {
  const problems = [...skipped]
  if (missingFiles > 0) problems.push(`the copy lacks ${missingFiles} of the stored files`)
  const { isCheckable } = await selectRow(client, checkable, [
    `select to_regprocedure('private.broken_sums()') is not null as "isCheckable"`,
  ])
  if (!isCheckable) return { backup: backup.name, problems, ledger: null }
  const broken = await selectRows(client, ruleViolation, [
    'select rule, rows::int from private.broken_sums()',
  ])
  problems.push(
    ...broken.map(({ rule, rows }) => `the rule "${rule}" does not hold for ${rows} rows of the copy`),
  )
  const until = new Date(Date.parse(backup.manifest.endedAt) - UNCOMMITTED_MS).toISOString()
  const { totals } = await selectRow(client, totalsRow, ['select private.ledger_totals($1) as totals', until])
  return { backup: backup.name, problems, ledger: { until, totals } }
}
