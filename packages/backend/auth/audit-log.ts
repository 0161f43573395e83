import type { Pool } from 'pg'
import { AuthError } from './errors.ts'

interface AuditEntry {
  /** `logout` is the hosted product's name; it records no failures. */
  action: 'login_failed' | 'logout' | 'verification_failed'
  logType: 'account' | 'factor'
  /** The account's id; null if there is none. */
  actor: string | null
  address: string | null
  traits?: Record<string, string>
}

/** For events that the triggers of the audit log cannot see: they change no row, or look like others. */
export async function writeAuditEntry(
  owner: Pool,
  { action, logType, actor, address, traits = {} }: AuditEntry,
): Promise<void> {
  await owner.query('select auth.write_audit_entry($1, $2, $3, $4, $5)', [
    action,
    logType,
    actor,
    address,
    traits,
  ])
}

interface Attempt extends Pick<AuditEntry, 'actor' | 'address'> {
  factorType: string
}

/** Runs the check of a second factor. Records a wrong answer, because the transaction of the check is rolled back. */
export async function recordWrongAnswer<T>(
  owner: Pool,
  { factorType, ...attempt }: Attempt,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    const isWrong = error instanceof AuthError && error.code === 'mfa_verification_failed'
    const traits = { factor_type: factorType }
    if (isWrong)
      await writeAuditEntry(owner, { ...attempt, action: 'verification_failed', logType: 'factor', traits })
    throw error
  }
}
