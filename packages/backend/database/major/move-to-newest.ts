import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { forgetChain } from '#backend/backup/wal-archive.ts'
import { NEWEST_MAJOR, postgresBinaries } from '../binaries.ts'
import { copyDatabase, type CopyProgress } from '../copy/copy-database.ts'
import { requireFreeSpace } from '../data-copy.ts'
import { DatabaseProblem } from '../database-problem.ts'
import { type EmbeddedPostgres, startInstallation, startPostgres } from '../embedded.ts'
import {
  clusterMajor,
  commandFor,
  dataPath,
  type Installation,
  PORT_FILE,
  prepareInstallation,
} from '../installation.ts'
import { embeddedServer } from '../with-server.ts'
import { type Application, type DatabaseServer, inspectApplication } from '../prepare-application.ts'
import { withConnection } from '../upgrade/connection.ts'
import { removeUnfinished, switchClusters, unfinishedPath } from './clusters.ts'
import { requireSameDefinitions } from './definitions.ts'
import { copyPasswords, copySettings, copyUpgradeRecords } from './server-state.ts'
import type { Log } from '#backend/process/log.ts'

/** The log that the new server writes during the copy fits in the free space that is required. */
const COPY_SETTINGS = { max_wal_size: '256MB', autovacuum: 'off' }
const REPORT_MS = 5000

export interface MajorMove {
  application: Application
  log: Pick<Log, 'error' | 'info'>
  /** Called when the move begins and when it has come further. */
  onMoving?: ((percent: number) => void | Promise<void>) | undefined
  /** For tests. */
  freeBytes?: (folder: string) => Promise<number>
}

/**
 * Moves the embedded database of a data folder to the newest major version of PostgreSQL before a start: copies it to a new server
 * beside it, compares both, and switches by renaming. The former database is only read and is kept; it stays in use when anything
 * fails, and when its tables are not exactly of this version of the application.
 */
export async function moveToNewestMajor(dataDir: string, move: MajorMove): Promise<void> {
  const folder = resolve(dataDir)
  const from = await clusterMajor(folder)
  if (from === undefined || from === NEWEST_MAJOR) return
  const { log } = move
  const data = await dataPath(folder)
  const startedAt = performance.now()
  try {
    if (!(await copyToNewest({ folder, data }, move))) {
      log.info({}, `The database stays on PostgreSQL ${from} until a start that does not upgrade its tables`)
      return
    }
    // The log of the new server does not continue the archived one.
    await forgetChain(folder)
    // Processes of before the move keep positions and ids of the former server: they must start again to find the new one.
    await rm(join(folder, PORT_FILE), { force: true })
    const former = await switchClusters(data, { from, to: NEWEST_MAJOR })
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    log.info({ seconds, former }, `Moved the database to PostgreSQL ${NEWEST_MAJOR}; the former one is kept`)
  } catch (error) {
    await removeUnfinished(data, NEWEST_MAJOR).catch(() => undefined)
    log.error(
      error instanceof DatabaseProblem ? { reason: error.message } : { err: error },
      `The database stays on PostgreSQL ${from}; the next start tries again to move it`,
    )
  }
}

interface Place {
  /** The data folder. */
  folder: string
  /** Of the present database. */
  data: string
}

/** Builds the new database and stops both. Returns false when the tables of the present one must be upgraded first. */
async function copyToNewest({ folder, data }: Place, move: MajorMove): Promise<boolean> {
  await removeUnfinished(data, NEWEST_MAJOR)
  // Not shared, and on a port of its own: no process can write to it.
  const server = await startPostgres(folder)
  try {
    if ((await inspectApplication(embeddedServer(server), move.application)) !== 'current') return false
    const bytes = await requireFreeSpace(
      data,
      `moving the database to PostgreSQL ${NEWEST_MAJOR}`,
      move.freeBytes,
    )
    move.log.info(
      { megabytes: Math.ceil(bytes / 1024 ** 2) },
      `Moving the database to PostgreSQL ${NEWEST_MAJOR}; when interrupted, the present one opens again`,
    )
    await move.onMoving?.(0)
    const installation = await prepareInstallation(await postgresBinaries(), folder)
    await build({ ...installation, data: unfinishedPath(data, NEWEST_MAJOR) }, { folder, server, move })
    return true
  } finally {
    await server.stop()
  }
}

async function build(
  installation: Installation,
  { folder, server, move }: { folder: string; server: EmbeddedPostgres; move: MajorMove },
): Promise<void> {
  const target = await startInstallation(installation, folder, { durable: false, settings: COPY_SETTINGS })
  try {
    await copyServer(embeddedServer(server), embeddedServer(target), move)
  } finally {
    await target.stop()
  }
  // The server wrote without waiting for the disk.
  const { command, args, identity } = commandFor(installation, 'initdb', ['--sync-only', installation.data])
  await promisify(execFile)(command, args, { ...identity, cwd: installation.data })
}

async function copyServer(
  from: DatabaseServer,
  to: DatabaseServer,
  { application, log, onMoving }: MajorMove,
): Promise<void> {
  const onProgress = reportProgress(log, onMoving)
  await copyDatabase(from, to, { application, onProgress, check: requireSameDefinitions })
  await withConnection(from.superuserUrl, (source) =>
    withConnection(to.superuserUrl, async (copy) => {
      await copyPasswords(source, copy)
      await copySettings(source, copy)
      await copyUpgradeRecords(source, copy)
    }),
  )
}

/** Rows are read twice: for copying and for comparing. */
function reportProgress(log: MajorMove['log'], onMoving: MajorMove['onMoving']) {
  let loggedAt = performance.now()
  let reported = 0
  return ({ step, bytes, totalBytes }: CopyProgress) => {
    const share = totalBytes === 0 ? 1 : bytes / totalBytes
    const percent = Math.floor(50 * share + (step === 'compared' ? 50 : 0))
    if (percent === reported) return
    reported = percent
    void onMoving?.(percent)
    if (performance.now() - loggedAt < REPORT_MS) return
    loggedAt = performance.now()
    log.info({ percent }, `Moving the database to PostgreSQL ${NEWEST_MAJOR}: ${percent} %`)
  }
}
