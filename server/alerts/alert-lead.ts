import { runInOneProcess } from '@saltfreak/backend'

/** An advisory lock, see `runInOneProcess`. */
export const LEAD_LOCK = 1_651_596_140
/** The machine that leads may be lost together with the database. */
const SILENT_MS = 15 * 60_000

export interface AlertLead {
  /** Whether another process alerts the owner while the database is away. */
  isElsewhere(this: void): boolean
  stop(this: void): Promise<void>
}

/** Of a process that takes no part in the election. */
export const ALONE: AlertLead = { isElsewhere: () => false, stop: async () => {} }

interface LeadOptions {
  pollMs?: number
  silentMs?: number
}

/**
 * Elects one of the processes of a database to alert while that is away, when no lock can be taken: the one that held the
 * lock last. The others, also one that has just started and does not know yet who holds it, are silent for a quarter of an hour,
 * then alert as well: an alert too many is better than none.
 */
export function takeAlertLead(databaseUrl: string, options: LeadOptions = {}): AlertLead {
  const { silentMs = SILENT_MS, ...poll } = options
  let silentUntil = 0
  const becomeSilent = () => {
    silentUntil = performance.now() + silentMs
  }
  becomeSilent()
  const candidacy = runInOneProcess({
    databaseUrl,
    lock: LEAD_LOCK,
    start() {
      silentUntil = 0
      return { stop: async () => {} }
    },
    onRefused: becomeSilent,
    ...poll,
  })
  return { isElsewhere: () => performance.now() < silentUntil, stop: () => candidacy.stop() }
}
