import type { CheckedFinding } from '../health/run-checks.ts'

/** What the owner is told, by e-mail and at `ALERT_URL`. */
export interface Alert {
  component: string
  /** `ok` is the all-clear. */
  state: 'ok' | 'warning' | 'failed'
  message: string
  action: string | null
  /** When the component stopped working; an ISO time. */
  since: string
}

/** An alert without an all-clear. */
export interface OpenAlert extends Alert {
  state: 'warning' | 'failed'
  /** Since when the component works again, or is only a warning after a failure. */
  okSince: string | null
  /** Other alerts of the component within a day. */
  earlier: number
}

interface Verdict {
  /** Null when the alert is cleared, or was never raised. */
  open: OpenAlert | null
  /** To be sent. */
  alert: Alert | null
}

const MINUTE_MS = 60_000
/** How long a component must work before the all-clear. */
const CLEAR_AFTER_MS = 10 * MINUTE_MS
const LONGEST_CLEAR_MS = 4 * 60 * MINUTE_MS

/**
 * Decides what a finding means for its component. A component that fails again before the all-clear sends nothing, and the
 * all-clear takes twice as long with each alert of the day, so that a flapping component sends few mails. A failure that is
 * only a warning for as long counts as a warning from then on: otherwise the next failure would be silent.
 */
export function decide(open: OpenAlert | null, finding: CheckedFinding, now: Date): Verdict {
  const { component, state, message, action = null } = finding
  if (!open) {
    if (state === 'ok') return { open: null, alert: null }
    const alert: Alert = { component, state, message, action, since: now.toISOString() }
    return { open: { ...alert, state, okSince: null, earlier: 0 }, alert }
  }
  const isBetter = state === 'ok' || (state === 'warning' && open.state === 'failed')
  if (isBetter) {
    const okSince = open.okSince ?? now.toISOString()
    if (now.getTime() - Date.parse(okSince) < clearAfterMs(open))
      return { open: { ...open, okSince }, alert: null }
    if (state !== 'ok') return { open: { ...open, state, message, action, okSince: null }, alert: null }
    return { open: null, alert: { component, state, message, action: null, since: open.since } }
  }
  const isWorse = state === 'failed' && open.state === 'warning'
  if (!isWorse) return { open: { ...open, okSince: null }, alert: null }
  const worse = { ...open, state, message, action, okSince: null }
  return { open: worse, alert: { component, state, message, action, since: open.since } }
}

function clearAfterMs({ earlier }: OpenAlert): number {
  return Math.min(CLEAR_AFTER_MS * 2 ** earlier, LONGEST_CLEAR_MS)
}
