import { copyData, removeCopies } from '../data-copy.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, startPostgres } from '../embedded.ts'
import type { Plan } from './plan.ts'

export interface CopyFirst {
  version: string
  /** What a start would do to the database of this server. */
  inspect: (server: EmbeddedPostgres) => Promise<Plan['kind']>
  log: { info(fields: object, message: string): void }
  postgres?: EmbeddedOptions
  /** For tests. */
  freeBytes?: (folder: string) => Promise<number>
}

/**
 * Starts the embedded PostgreSQL of a data folder. When an upgrade is due, its files are copied first, so that the operator
 * can return to the version before: stop the shop, put the copy in the place of `postgres`, start that version.
 */
export async function startForUpgrade(
  dataFolder: string,
  { version, inspect, log, postgres, freeBytes }: CopyFirst,
): Promise<EmbeddedPostgres & { kind: Plan['kind'] }> {
  const server = await startPostgres(dataFolder, postgres)
  try {
    const kind = await inspect(server)
    if (kind !== 'upgrade' && kind !== 'adopt') return { ...server, kind }
    await server.stop()
    const copy = await copyData(dataFolder, version, freeBytes)
    log.info({ copy }, `the database was copied before its upgrade to version ${version}`)
    return { ...(await startPostgres(dataFolder, postgres)), kind }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** After a successful start: the copies go with the first start that had nothing to upgrade. */
export async function finishUpgrade(
  dataFolder: string,
  { kind, log }: { kind: Plan['kind']; log: CopyFirst['log'] },
): Promise<void> {
  if (kind !== 'current') return
  const removed = await removeCopies(dataFolder)
  if (removed.length) log.info({ removed }, 'copies from before earlier upgrades were removed')
}
