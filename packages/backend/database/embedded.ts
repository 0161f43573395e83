import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  commandFor,
  clusterMajor,
  dataPath,
  createOwnedFolder,
  type Installation,
  prepareInstallation,
} from './installation.ts'
import { forgetChain } from '#backend/backup/wal-archive.ts'
import { createFolder } from '#backend/process/create-folder.ts'
import { diskSpace } from '#backend/process/disk-space.ts'
import { exists } from '#backend/process/exists.ts'
import { freePort } from '#backend/process/free-port.ts'
import { isRunning } from '#backend/process/is-running.ts'
import { loadOrCreate } from '#backend/process/load-or-create.ts'
import { postgresBinaries } from './binaries.ts'
import { LOCKED_EXIT_CODE, withDataLock } from './data-lock.ts'
import { completeSwitch } from './major/clusters.ts'
import {
  findPostmaster,
  type Postmaster,
  supervisorArguments,
  requireNotRunning,
  stopOrphan,
} from './postmaster.ts'
import { keepLogSmall, rotateLog } from './rotate-log.ts'
import { DatabaseProblem } from './database-problem.ts'

/** Allows for a long recovery after a crash. */
const START_TIMEOUT_MS = 120_000
const START_ATTEMPTS = 20

/** The superuser that `initdb` creates. Only the preparation of the database uses it. */
const SUPERUSER = 'supabase_admin'

/** Errors that a retry solves: another process took the port, or children of a killed PostgreSQL are still ending. */
const TRANSIENT_ERRORS = /Address already in use|still in use|lock file ".*" already exists/

export interface PostgresAddress {
  port: number
  password: string
}

export interface EmbeddedPostgres extends PostgresAddress {
  /** Resolves when PostgreSQL ends, whether `stop` was called or not. */
  ended: Promise<void>
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** False for temporary databases: faster, but a crash corrupts the data. */
  durable?: boolean
  /** Port on 127.0.0.1; any free port by default. */
  port?: number
  /** Further settings of PostgreSQL by name. */
  settings?: Record<string, string>
  startTimeoutMs?: number
  /** Throws instead of creating a database: an unmounted disk looks like an empty folder. */
  mustExist?: boolean
  /** Stops a start that is under way, which may be replaying a long log. */
  signal?: AbortSignal
  /** Lets other processes open the data folder (`findSharedPostgres`). */
  isShared?: boolean
  /** Major version of a database that is created; the newest by default. */
  newMajor?: number
}

/** Starts the PostgreSQL of a data folder, creating it on first use, and waits until it accepts connections. */
export async function startPostgres(
  dataFolder: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const folder = resolve(dataFolder)
  // Every user may enter the folder because PostgreSQL's account must; its files are closed to other users.
  await createFolder(folder, 0o711)
  await completeSwitch(await dataPath(folder))
  const major = await clusterMajor(folder)
  // The log of a new database does not continue the archived one, for example after a move to an own server and back.
  if (major === undefined && !options.mustExist) await forgetChain(folder)
  const installation = await prepareInstallation(await postgresBinaries(major ?? options.newMajor), folder)
  return startInstallation(installation, folder, options)
}

/** Starts a PostgreSQL whose data may lie beside that of the data folder, which holds the password and the log. */
export async function startInstallation(
  installation: Installation,
  folder: string,
  options: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const password = await loadPassword(folder)
  if (!(await exists(installation.data))) {
    if (options.mustExist) throw new DatabaseProblem(`the database files in ${installation.data} are gone`)
    await createCluster(installation, password)
  }

  for (let attempt = 1; ; attempt += 1) {
    await stopOrphan(installation.data)
    const started = await launch(installation, join(folder, 'postgres.log'), options)
    if (started.outcome === 'ready') return { ...started.server, password }
    if (started.outcome === 'locked') {
      throw new DatabaseProblem(
        'the data folder is in use by a process that cannot be seen from here, such as one of another container: stop that one first',
      )
    }
    if (attempt === START_ATTEMPTS || options.signal?.aborted || !TRANSIENT_ERRORS.test(started.log)) {
      throw new DatabaseProblem(`PostgreSQL does not start: ${reasonIn(started.log, options.port)}`)
    }
    await pause(100)
  }
}

/** Returns the address of the PostgreSQL that another process runs on a data folder, or null. */
export async function findRunningPostgres(dataFolder: string): Promise<PostgresAddress | null> {
  return addressOf(dataFolder, () => true)
}

/**
 * Returns the address of the PostgreSQL that another process runs on a data folder for processes such as this one, or null. A
 * process always shares with those that it starts.
 */
export async function findSharedPostgres(dataFolder: string): Promise<PostgresAddress | null> {
  return addressOf(dataFolder, ({ isShared, supervisor }) => isShared || supervisor === process.ppid)
}

async function addressOf(
  dataFolder: string,
  isWanted: (postmaster: Postmaster) => boolean,
): Promise<PostgresAddress | null> {
  const folder = resolve(dataFolder)
  const postmaster = await findPostmaster(await dataPath(folder))
  if (!postmaster?.supervisor || !postmaster.isReady || !isWanted(postmaster)) return null
  return { port: postmaster.port, password: await loadPassword(folder) }
}

/** Throws when another process runs a PostgreSQL on the data folder that it does not share. */
export async function requireUnused(dataFolder: string): Promise<void> {
  if (await findSharedPostgres(dataFolder)) return
  await requireNotRunning(await dataPath(resolve(dataFolder)))
}

/** Returns the connection URL for the superuser or for the role that owns the tables. */
export function postgresUrl(address: PostgresAddress, role: 'postgres' | typeof SUPERUSER): string {
  return `postgresql://${role}:${address.password}@127.0.0.1:${address.port}/postgres`
}

async function createCluster(installation: Installation, password: string): Promise<void> {
  // Creates the cluster under a temporary name and renames it: a killed first start must not leave a partial database.
  const unfinished = `${installation.data}.new-${process.pid}`
  const passwordFile = `${unfinished}.password`
  await removeAbandonedClusters(installation.data)
  await createOwnedFolder(installation, unfinished)
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (installation.account) await chown(passwordFile, installation.account.uid, installation.account.gid)
  try {
    const { command, args, identity } = commandFor(installation, 'initdb', [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--no-instructions',
    ])
    await promisify(execFile)(command, args, { ...identity, cwd: unfinished }).catch(
      (error: Error & { stderr?: string }) => {
        throw new DatabaseProblem(`PostgreSQL's initdb fails: ${reasonIn(error.stderr || error.message)}`)
      },
    )
    await rename(unfinished, installation.data)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Until the initdb of a killed process, which may still be writing, has ended. */
const RETRIES = { maxRetries: 10, retryDelay: 200 }

/** Removes what killed processes left. In a container, each of them had the id of this process. */
async function removeAbandonedClusters(data: string): Promise<void> {
  const prefix = `${basename(data)}.new-`
  const unfinished = (await readdir(dirname(data))).filter((name) => name.startsWith(prefix))
  const abandoned = unfinished.filter((name) => {
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    return pid === process.pid || !isRunning(pid)
  })
  await Promise.all(
    abandoned.map((name) => rm(join(dirname(data), name), { recursive: true, force: true, ...RETRIES })),
  )
}

async function launch(installation: Installation, logPath: string, options: EmbeddedOptions) {
  const { durable = true, port: requestedPort, isShared, startTimeoutMs = START_TIMEOUT_MS, signal } = options
  const port = requestedPort ?? (await freePort())
  // A full disk is reported by PostgreSQL itself.
  await rotateLog(logPath).catch(() => undefined)
  const logStart = await stat(logPath).then(
    ({ size }) => size,
    () => 0,
  )
  const log = await open(logPath, 'a', 0o600)
  const settings = { ...(await logSizes(installation.data)), ...options.settings }
  const server = serverArguments(installation.data, { port, durable, isShared, settings })
  const { command, args, identity } = await withDataLock(
    installation.data,
    commandFor(installation, 'postgres', server),
  )
  // `detached` starts a new session: Ctrl-C in the terminal must not stop PostgreSQL before the last request has ended.
  const child = spawn(command, args, {
    ...identity,
    cwd: installation.data,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const ended = new Promise<void>((settle, fail) => child.once('exit', () => settle()).once('error', fail))
  stopWithProcess(child)
  await log.close()
  keepLogSmall(logPath, ended)

  const deadline = Date.now() + startTimeoutMs
  const isAborted = () => signal?.aborted ?? false
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  while (!hasEnded() && !isAborted() && Date.now() < deadline) {
    const postmaster = await findPostmaster(installation.data)
    if (postmaster?.pid === child.pid && postmaster?.isReady) {
      return { outcome: 'ready', server: { port, ended, stop } } as const
    }
    await pause(10)
  }
  await stop()
  if (child.exitCode === LOCKED_EXIT_CODE) return { outcome: 'locked' } as const
  return { outcome: 'failed', log: (await readFile(logPath)).subarray(logStart).toString() } as const

  async function stop() {
    if (!hasEnded()) child.kill('SIGINT')
    await ended
  }
}

/** The servers of this process, for as long as they run. */
const servers = new Set<ChildProcess>()

/** Stops a server also when this process exits without stopping it: by an error, or because a stop took too long. */
function stopWithProcess(server: ChildProcess): void {
  if (servers.size === 0) process.once('exit', stopServers)
  servers.add(server)
  server.once('exit', () => {
    servers.delete(server)
    if (servers.size === 0) process.off('exit', stopServers)
  })
}

/** PostgreSQL's fast shutdown: it rolls back what is open, and needs no recovery at the next start. */
function stopServers(): void {
  for (const server of servers) server.kill('SIGINT')
}

const MEBIBYTE = 1024 * 1024
/** The log may take this share of the disk before PostgreSQL writes a checkpoint and recycles it. */
const LOG_SHARE = 1 / 20

/**
 * Returns limits of the write-ahead log that fit the disk: with PostgreSQL's default of 1 GB, the log alone can fill a small
 * one. The minimum is two segments of 16 MB.
 */
async function logSizes(data: string): Promise<Record<string, string>> {
  const { totalBytes } = await diskSpace(data)
  const max = Math.round(Math.min(Math.max((totalBytes * LOG_SHARE) / MEBIBYTE, 32), 1024))
  const min = Math.round(Math.min(Math.max(max / 4, 32), 80))
  return { max_wal_size: `${max}MB`, min_wal_size: `${min}MB` }
}

function serverArguments(
  data: string,
  {
    port,
    durable,
    settings: more,
    isShared = false,
  }: Pick<EmbeddedOptions, 'durable' | 'settings' | 'isShared'> & { port: number },
): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Does not log errors of single statements: the caller receives them, and they may contain personal data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...more,
  }
  if (!durable) Object.assign(settings, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
  const listed = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', data, ...listed, ...supervisorArguments(isShared)]
}

async function loadPassword(folder: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  return String(await loadOrCreate(join(folder, 'postgres.password'), password))
}

/** Extracts the error line from PostgreSQL's log. */
function reasonIn(log: string, port?: number): string {
  if (port && log.includes('Address already in use')) return `port ${port} is in use`
  const lines = log.trim().split('\n')
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/i.test(line)) ?? lines.at(-1) ?? ''
  return reason.replace(/^.*?(FATAL|PANIC|error): */i, '') || 'postgres.log contains no error'
}
