import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '@saltfreak/backend'
import type { CheckedFinding } from '../health/run-checks.ts'
import { type Alert, decide, type OpenAlert } from './alert.ts'
import { queueAlert, type ChannelSettings } from './alert-channels.ts'
import { clearAlert, lockOpenAlerts, saveAlert } from './alert-store.ts'

interface RecordParts {
  settings: ChannelSettings
  /** Alerts that were raised while the database was away. */
  unsaved: Iterable<OpenAlert>
  /** False sends nothing: the caller does. */
  isQueued: boolean
  now: Date
}

export interface Recorded {
  open: Map<string, OpenAlert>
  /** Raised and cleared by this call. */
  alerts: Alert[]
}

/**
 * Raises and clears alerts in one transaction with the mails and jobs that announce them. Returns null when another process
 * is doing so. Throws when the database cannot be written, for example because its disk is full.
 */
export function recordAlerts(
  owner: Pool,
  findings: CheckedFinding[],
  { settings, unsaved, isQueued, now }: RecordParts,
): Promise<Recorded | null> {
  return inTransaction(owner, async (client) => {
    const open = await lockOpenAlerts(client)
    if (!open) return null
    const alerts: Alert[] = []
    // oxlint-disable no-await-in-loop -- one connection
    for (const alert of unsaved) {
      if (!isMissingIn(open, alert)) continue
      await saveAlert(client, alert)
      open.set(alert.component, alert)
    }
    for (const finding of findings) {
      const alert = await recordFinding(client, finding, { open, now })
      if (!alert) continue
      alerts.push(alert)
      if (isQueued) await queueAlert(client, alert, { ...settings, now })
    }
    // oxlint-enable no-await-in-loop
    return { open, alerts }
  })
}

async function recordFinding(
  client: PoolClient,
  finding: CheckedFinding,
  { open, now }: { open: Map<string, OpenAlert>; now: Date },
): Promise<Alert | null> {
  const { component } = finding
  const before = open.get(component) ?? null
  const { open: after, alert } = decide(before, finding, now)
  if (after) {
    if (hasChanged(before, after)) await saveAlert(client, after)
    open.set(component, after)
  } else if (before) {
    await clearAlert(client, component)
    open.delete(component)
  }
  return alert
}

function hasChanged(before: OpenAlert | null, after: OpenAlert): boolean {
  return !before || before.state !== after.state || before.okSince !== after.okSince
}

function isMissingIn(open: Map<string, OpenAlert>, { component, state }: OpenAlert): boolean {
  const saved = open.get(component)
  return !saved || (state === 'failed' && saved.state === 'warning')
}
