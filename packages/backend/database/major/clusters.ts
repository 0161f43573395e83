import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { exists } from '#backend/process/exists.ts'
import { dataPath } from '../installation.ts'
import { stopOrphan } from '../postmaster.ts'
import type { Log } from '#backend/process/log.ts'

/** How long the former database is kept, for an operator who must go back. It holds personal data, so not for good. */
const DAYS_KEPT = 30
const DAY_MS = 86_400_000

/** `postgres-17.until-2026-12-23` */
const FORMER = /-\d+\.until-(\d{4}-\d\d-\d\d)$/
const READY = '.ready'

/** Returns the path where the next database is built. A killed build leaves it there, and the next one begins again. */
export function unfinishedPath(data: string, major: number): string {
  return `${data}-${major}.unfinished`
}

/** Stops what a killed build left running, and removes it. Without the present database, the copy is all there is. */
export async function removeUnfinished(data: string, major: number): Promise<void> {
  if (!(await exists(data))) return
  const unfinished = unfinishedPath(data, major)
  await stopOrphan(unfinished)
  await rm(unfinished, { recursive: true, force: true })
  // The present database may have changed since this copy of it was finished.
  await rm(`${data}${READY}`, { recursive: true, force: true })
}

/**
 * Puts the finished database in the place of the present one; both must be stopped. The second of the three renamings is the switch:
 * before it the present database opens, after it `completeSwitch` goes on. Returns where the former database is kept.
 */
export async function switchClusters(
  data: string,
  { from, to }: { from: number; to: number },
): Promise<string> {
  const until = new Date(Date.now() + DAYS_KEPT * DAY_MS).toISOString().slice(0, 10)
  const former = `${data}-${from}.until-${until}`
  await renameDurably(unfinishedPath(data, to), `${data}${READY}`)
  await renameDurably(data, former)
  await completeSwitch(data)
  return former
}

/** Finishes a switch that a crash interrupted. */
export async function completeSwitch(data: string): Promise<void> {
  if ((await exists(data)) || !(await exists(`${data}${READY}`))) return
  await renameDurably(`${data}${READY}`, data)
}

/** Removes the former databases of a data folder whose time is over, now and every day while the process runs. */
export function sweepFormerClusters(dataDir: string, log: Pick<Log, 'error' | 'info'>): void {
  const sweep = async () => {
    const removed = await removeFormerClusters(await dataPath(resolve(dataDir)))
    if (removed.length > 0) log.info({ removed }, 'Removed the database of the former PostgreSQL')
  }
  const sweepAndLog = () =>
    void sweep().catch((error: unknown) => log.error({ err: error }, 'Could not remove a former database'))
  sweepAndLog()
  setInterval(sweepAndLog, DAY_MS).unref()
}

/** Returns the paths of the former databases that it removed. */
export async function removeFormerClusters(data: string): Promise<string[]> {
  const today = new Date().toISOString().slice(0, 10)
  const names = await readdir(dirname(data))
  const due = names.filter((name) => {
    const [, until] = FORMER.exec(name) ?? []
    return name.startsWith(`${basename(data)}-`) && until !== undefined && until < today
  })
  const paths = due.map((name) => join(dirname(data), name))
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })))
  return paths
}

/** The order of two renamings must survive a power cut. */
async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  const parent = await open(dirname(to), 'r')
  await parent.sync().finally(() => parent.close())
}
