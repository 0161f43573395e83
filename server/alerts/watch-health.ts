import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DISK } from '../health/checks/disk.ts'
import { JOBS } from '../health/checks/jobs.ts'
import type { HealthCheck } from '../health/finding.ts'
import type { CheckedFinding } from '../health/run-checks.ts'
import type { ShopParts } from '../shop-parts.ts'
import { type AlertLead, ALONE, takeAlertLead } from './alert-lead.ts'
import { type Alert, decide, type OpenAlert } from './alert.ts'
import { confirmedFindings } from './confirmed-findings.ts'
import { createDirectSender } from './direct-sender.ts'
import { recordAlerts } from './record-alerts.ts'

interface WatchedParts extends Pick<ShopParts, 'settings' | 'database'> {
  checks: HealthCheck[]
  /** For tests. */
  lead?: AlertLead
  log: Pick<Logger, 'warn'>
  /** Between two rounds. */
  intervalMs?: number
  /** After this time a problem is looked at again: a restart of the database is no alert. */
  confirmMs?: number
  now?: () => Date
}

export interface HealthWatch {
  /** Checks once. */
  round(this: void): Promise<void>
  /** Repeats rounds until `stop`. */
  start(this: void): { stop(): Promise<void> }
}

const INTERVAL_MS = 60_000
const CONFIRM_MS = 15_000
const STOP_TIMEOUT_MS = 2000

/** Sends one alert for each component that stops working, and one all-clear. See `supabase/schema/admin/alerts.sql`. */
export function watchHealth(parts: WatchedParts): HealthWatch {
  const { settings, database, checks, log, confirmMs = CONFIRM_MS, now = () => new Date() } = parts
  const sender = createDirectSender(settings, log)
  let lead = parts.lead ?? ALONE
  /** The open alerts as of the last round, for times without a database. */
  let known = new Map<string, OpenAlert>()
  /** Alerts that the database does not know yet. */
  const unsaved = new Map<string, OpenAlert>()

  async function round(signal?: AbortSignal): Promise<void> {
    const findings = await confirmedFindings(checks, { confirmMs, signal })
    if (signal?.aborted) return
    const alerts = await recordInDatabase(findings).catch(() => recordInMemory(findings))
    for (const { component, state, message } of alerts)
      log.warn({ component, state, reason: message }, 'alert')
    await sender.send()
  }

  async function recordInDatabase(findings: CheckedFinding[]): Promise<Alert[]> {
    // A queue that stands still sends nothing.
    const isQueued = !findings.some(({ component, state }) => component === JOBS && state === 'failed')
    const recorded = await recordAlerts(database.owner, findings, {
      settings,
      unsaved: unsaved.values(),
      isQueued,
      now: now(),
    })
    if (!recorded) return []
    known = recorded.open
    unsaved.clear()
    if (!isQueued) sender.add(recorded.alerts)
    return recorded.alerts
  }

  /** Other machines find the same, except on their own disks. An embedded database has all its processes on one machine. */
  function mayBeAlone(component: string): boolean {
    return component === DISK && settings.databaseUrl !== null
  }

  /** Only raises alerts: the all-clear waits until the database is back. */
  function recordInMemory(findings: CheckedFinding[]): Alert[] {
    const alerts: Alert[] = []
    for (const finding of findings.filter(({ state }) => state !== 'ok')) {
      if (lead.isElsewhere() && !mayBeAlone(finding.component)) continue
      const { open, alert } = decide(known.get(finding.component) ?? null, finding, now())
      if (!open || !alert) continue
      known.set(finding.component, open)
      unsaved.set(finding.component, open)
      alerts.push(alert)
    }
    sender.add(alerts)
    return alerts
  }

  function start() {
    lead = parts.lead ?? takeAlertLead(database.url)
    const rounds = repeat(round, parts.intervalMs)
    return { stop: async () => void (await Promise.all([rounds.stop(), lead.stop()])) }
  }
  return { round: () => round(), start }
}

function repeat(round: (signal: AbortSignal) => Promise<void>, intervalMs = INTERVAL_MS) {
  const stopping = new AbortController()
  const { signal } = stopping
  async function run(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable no-await-in-loop -- one round after the other
      await pause(intervalMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await round(signal)
      // oxlint-enable no-await-in-loop
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      // A mail server that does not answer must not delay the shutdown.
      await Promise.race([running, pause(STOP_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}
