import { setTimeout as pause } from 'node:timers/promises'
import { DISK } from '../health/checks/disk.ts'
import type { HealthCheck } from '../health/finding.ts'
import { DATABASE } from '../health/health-checks.ts'
import { type CheckedFinding, runChecks } from '../health/run-checks.ts'

/** Where a failure keeps the other checks from answering. */
const CAUSES: string[] = [DATABASE, DISK]

/** Runs the checks, and those that find a problem once more. Without database or disk, unanswered checks say nothing about their component. */
export async function confirmedFindings(
  checks: HealthCheck[],
  { confirmMs, signal }: { confirmMs: number; signal?: AbortSignal | undefined },
): Promise<CheckedFinding[]> {
  const first = await runChecks(checks)
  if (first.every(({ state }) => state === 'ok')) return first
  await pause(confirmMs, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
  const suspects = new Set(first.filter(({ state }) => state !== 'ok').map(({ component }) => component))
  const second = await runChecks(checks.filter(({ component }) => suspects.has(component)))
  const findings = [...first.filter(({ component }) => !suspects.has(component)), ...second]
  const isExplained = findings.some(
    ({ component, state }) => CAUSES.includes(component) && state === 'failed',
  )
  return isExplained ? findings.filter(({ isUnknown }) => !isUnknown) : findings
}
