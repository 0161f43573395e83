import { copyData, removeCopies } from '../data-copy.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, startPostgres } from '../embedded.ts'
import type { Plan } from './plan.ts'
import type { Log } from '#backend/process/log.ts'

export interface CopyBeforeUpgrade {
  version: string
  /** Returns what a start would do to the database of this server. */
  inspect: (server: EmbeddedPostgres) => Promise<Plan['kind']>
  log: Pick<Log, 'info'>
  postgres?: EmbeddedOptions
  /** For tests. */
  freeBytes?: (folder: string) => Promise<number>
}

/**
 * Starts the embedded PostgreSQL of a data folder. Copies its files first when an upgrade is pending, so that the operator can
 * return to the previous version: stop the shop, replace `postgres` with the copy, start that version.
 */
export async function startForUpgrade(
  dataFolder: string,
  { version, inspect, log, postgres, freeBytes }: CopyBeforeUpgrade,
): Promise<EmbeddedPostgres & { kind: Plan['kind'] }> {
  const server = await startPostgres(dataFolder, postgres)
  try {
    const kind = await inspect(server)
    if (kind !== 'upgrade' && kind !== 'adopt') return { ...server, kind }
    await server.stop()
    const copy = await copyData(dataFolder, version, freeBytes)
    log.info({ copy }, `Copied the database before its upgrade to version ${version}`)
    return { ...(await startPostgres(dataFolder, postgres)), kind }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Removes the copies after a successful start that had nothing to upgrade. */
export async function finishUpgrade(
  dataFolder: string,
  { kind, log }: { kind: Plan['kind']; log: CopyBeforeUpgrade['log'] },
): Promise<void> {
  if (kind !== 'current') return
  const removed = await removeCopies(dataFolder)
  if (removed.length) log.info({ removed }, 'Removed the copies of earlier upgrades')
}
