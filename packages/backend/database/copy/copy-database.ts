import type { Client } from 'pg'
import { DatabaseProblem } from '../database-problem.ts'
import {
  type Application,
  applyApplication,
  type DatabaseServer,
  inspectApplication,
} from '../prepare-application.ts'
import { contentOf, isEqual, sequenceState } from './compare.ts'
import { withCopyConnection } from './connect.ts'
import { type Connections, copyRows } from './copy-rows.ts'
import { identify, lockSource } from './source.ts'
import { type CopiedTable, readSequences, readTables } from './tables.ts'
import { arrangeTarget, claimTarget, finishTarget, readProgress, restartTable } from './target.ts'

export interface CopyProgress {
  step: 'copied' | 'compared'
  table: string
  /** Of the source's tables, indexes included. */
  bytes: number
  totalBytes: number
}

export interface CopyOptions {
  application: Application
  onProgress?: (progress: CopyProgress) => void
  /** Compares the definitions before rows are copied. Throws to refuse the copy. */
  check?: (source: Client, target: Client) => Promise<void>
  /** Called when all rows are equal, before the target counts as finished. */
  onCompared?: () => Promise<void>
}

export interface CopiedDatabase {
  tables: number
  rows: number
  bytes: number
}

/**
 * Copies all rows and sequences of a database into an empty one, also of another major version. The target's tables and code are
 * built by `application`, of which the source must have the same version; the source is only read, and locked against writes
 * meanwhile. Counts and hashes of every table are compared before foreign keys and triggers are restored.
 *
 * A copy that ends early is continued by the next call with the same databases; until then, `inspectApplication` refuses the target.
 */
export async function copyDatabase(
  from: DatabaseServer,
  to: DatabaseServer,
  { application, onProgress = () => undefined, check, onCompared }: CopyOptions,
): Promise<CopiedDatabase> {
  await requireVersion(from, application)
  return withCopyConnection(from.superuserUrl, (source) =>
    withCopyConnection(to.superuserUrl, async (target) => {
      const tables = await lockSource(source)
      await claimTarget(target, await identify(source))
      await applyApplication(to, application)
      await requireSameTables(target, tables)
      await check?.(source, target)
      await arrangeTarget(target, tables)
      const copied = await copyTables({ source, target }, tables, onProgress)
      await copySequences({ source, target })
      await onCompared?.()
      await finishTarget(target)
      return copied
    }),
  )
}

async function requireVersion(from: DatabaseServer, application: Application): Promise<void> {
  const kind = await inspectApplication(from, application)
  if (kind === 'current') return
  throw new DatabaseProblem(
    kind === 'fresh'
      ? 'the source holds no shop'
      : `the source does not have version ${application.release.version}: start this version of the shop on it once, then copy it`,
  )
}

/** Throws when the target lacks a table or a column, as a server of a host that manages some of them may. */
async function requireSameTables(target: Client, tables: CopiedTable[]): Promise<void> {
  const existing = new Map((await readTables(target)).map((table) => [table.name, table]))
  const different = tables.find(({ name, columns }) => existing.get(name)?.columns.join() !== columns.join())
  if (different) {
    throw new DatabaseProblem(
      `the table ${different.name} has other columns in the target, or is missing there`,
    )
  }
}

async function copyTables(
  connections: Connections,
  tables: CopiedTable[],
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedDatabase> {
  const totalBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let rows = 0
  for (const step of ['copied', 'compared'] as const) {
    let bytes = 0
    for (const table of tables) {
      // oxlint-disable no-await-in-loop -- one connection
      if (step === 'copied') await continueTable(connections, table)
      else rows += await compareTable(connections, table)
      // oxlint-enable no-await-in-loop
      bytes += table.bytes
      onProgress({ step, table: table.name, bytes, totalBytes })
    }
  }
  return { tables: tables.length, rows, bytes: totalBytes }
}

async function continueTable(connections: Connections, table: CopiedTable): Promise<void> {
  const progress = (await readProgress(connections.target)).find(({ name }) => name === table.name)
  if (!progress?.is_done) await copyRows(connections, table, progress ?? { next_block: 0 })
}

/** Returns the number of rows. Copies a table again that differs: it may have changed since an earlier, killed copy read it. */
async function compareTable(connections: Connections, table: CopiedTable): Promise<number> {
  const rows = await rowsIfEqual(connections, table)
  if (rows !== null) return rows
  await restartTable(connections.target, table.name)
  await copyRows(connections, table, { next_block: 0 })
  const again = await rowsIfEqual(connections, table)
  if (again !== null) return again
  throw new DatabaseProblem(`the rows of ${table.name} differ from the source's after copying them twice`)
}

async function rowsIfEqual({ source, target }: Connections, table: CopiedTable): Promise<number | null> {
  const [original, copy] = await Promise.all([contentOf(source, table), contentOf(target, table)])
  return isEqual(original, copy) ? original.rows : null
}

async function copySequences({ source, target }: Connections): Promise<void> {
  for (const name of await readSequences(source)) {
    // oxlint-disable no-await-in-loop -- one connection
    const { last_value, is_called } = await sequenceState(source, name)
    await target.query('select setval($1, $2, $3)', [name, last_value, is_called])
    // oxlint-enable no-await-in-loop
  }
}
