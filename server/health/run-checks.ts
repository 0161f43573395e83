import { setTimeout as pause } from 'node:timers/promises'
import { failed, type Finding, type HealthCheck } from './finding.ts'

export interface CheckedFinding extends Finding {
  /** The check did not answer, so nothing is known about the component. */
  isUnknown?: boolean
}

const TIMEOUT_MS = 3000

/** Runs all checks at once. A check that throws or takes longer than three seconds is reported as failed. Never rejects. */
export function runChecks(checks: HealthCheck[], timeoutMs = TIMEOUT_MS): Promise<CheckedFinding[]> {
  return Promise.all(checks.map((check) => runCheck(check, timeoutMs)))
}

async function runCheck({ component, check }: HealthCheck, timeoutMs: number): Promise<CheckedFinding> {
  const finished = new AbortController()
  const timeout = pause(timeoutMs, null, { signal: finished.signal, ref: false }).catch(() => null)
  const result = await Promise.race([check().catch(() => null), timeout])
  finished.abort()
  return { component, ...(result ?? UNKNOWN) }
}

const UNKNOWN = {
  ...failed(
    'This could not be checked.',
    'Look at the other findings first. If only this one fails, read the shop’s log.',
  ),
  isUnknown: true,
}

/**
 * Returns a function that runs the checks, once for all callers of the same moment: a flood of them would make the checks wait for
 * each other and time out.
 */
export function shareRuns(checks: HealthCheck[]): () => Promise<CheckedFinding[]> {
  let running: Promise<CheckedFinding[]> | undefined
  return () => (running ??= runChecks(checks).finally(() => (running = undefined)))
}

/** Returns a function that runs the checks, at most once within `maxAgeMs`: requests must not multiply their work. */
export function cacheChecks(
  checks: HealthCheck[],
  maxAgeMs: number,
  timeoutMs = TIMEOUT_MS,
): () => Promise<CheckedFinding[]> {
  let newest: { at: number; findings: Promise<CheckedFinding[]> } | undefined
  return () => {
    const now = performance.now()
    if (!newest || now - newest.at >= maxAgeMs) newest = { at: now, findings: runChecks(checks, timeoutMs) }
    return newest.findings
  }
}
