import type { ReportedFinding } from '#domain/function-results.ts'
import type { Finding } from './finding.ts'

const URGENCY = { failed: 0, warning: 1, ok: 2 }

/** Returns what the admin area shows of findings, the most urgent first. */
export function reportFindings(findings: Finding[]): ReportedFinding[] {
  return findings
    .toSorted((one, other) => URGENCY[one.state] - URGENCY[other.state])
    .map(({ component, state, message, action }) => ({ component, state, message, action: action ?? null }))
}
