import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { commandIn, dataPath, makeFolderIn, type Quarters, settleIn } from './account.ts'
import { postgresBinaries } from './binaries.ts'
import { findPostmaster, keeperArguments, requireNoKeeper, stopOrphan } from './postmaster.ts'
import { DatabaseProblem } from './problem.ts'

/** Recovery after a crash may take its time. */
const START_TIMEOUT_MS = 120_000
const START_ATTEMPTS = 20

/** The superuser that `initdb` creates. It prepares the database and is not used afterwards. */
const SUPERUSER = 'supabase_admin'

/** What passes by itself: somebody took the port, or children of a killed PostgreSQL are still on their way out. */
const PASSING_TROUBLE = /Address already in use|still in use|lock file ".*" already exists/

export interface PostgresAddress {
  port: number
  password: string
}

export interface EmbeddedPostgres extends PostgresAddress {
  /** Settles when PostgreSQL ends, asked or not. */
  ended: Promise<void>
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** False for databases that are thrown away: faster, and worthless after a crash. */
  durable?: boolean
  /** Where to listen on 127.0.0.1; any free port when absent. */
  port?: number
}

/** Starts the PostgreSQL of a data folder, which is made on first use, and waits until it takes connections. */
export async function startPostgres(
  dataFolder: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const folder = resolve(dataFolder)
  // Entering is allowed to all because PostgreSQL's user must; everything inside is closed to others.
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const quarters = await settleIn(await postgresBinaries(), folder)
  const password = await loadPassword(folder)
  if (!(await stat(quarters.data).catch(() => null))) await createCluster(quarters, password)

  for (let attempt = 1; ; attempt += 1) {
    await stopOrphan(quarters.data)
    const started = await launch(quarters, join(folder, 'postgres.log'), options)
    if (started.outcome === 'ready') return { ...started.server, password }
    if (attempt === START_ATTEMPTS || !PASSING_TROUBLE.test(started.log)) {
      throw new DatabaseProblem(`PostgreSQL does not start: ${reasonIn(started.log)}`)
    }
    await pause(100)
  }
}

/** The PostgreSQL that another process keeps running on a data folder, or null. */
export async function findRunningPostgres(dataFolder: string): Promise<PostgresAddress | null> {
  const folder = resolve(dataFolder)
  const postmaster = await findPostmaster(await dataPath(folder))
  if (!postmaster?.keeper || !postmaster.isReady) return null
  return { port: postmaster.port, password: await loadPassword(folder) }
}

/** Throws when another process has the data folder's PostgreSQL. */
export async function requireUnused(dataFolder: string): Promise<void> {
  await requireNoKeeper(await dataPath(resolve(dataFolder)))
}

/** The address of an embedded PostgreSQL's database, for the superuser or for the role that owns the tables. */
export function postgresUrl(address: PostgresAddress, role: 'postgres' | typeof SUPERUSER): string {
  return `postgresql://${role}:${address.password}@127.0.0.1:${address.port}/postgres`
}

async function createCluster(quarters: Quarters, password: string): Promise<void> {
  // Made aside and renamed, so that a killed first start leaves no half database behind.
  const unfinished = `${quarters.data}.new-${process.pid}`
  const passwordFile = `${unfinished}.password`
  await makeFolderIn(quarters, unfinished)
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (quarters.account) await chown(passwordFile, quarters.account.uid, quarters.account.gid)
  try {
    const { command, args, identity } = commandIn(quarters, 'initdb', [
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
    await rename(unfinished, quarters.data)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function launch(
  quarters: Quarters,
  logPath: string,
  { durable = true, port: wanted }: EmbeddedOptions,
) {
  const port = wanted ?? (await freePort())
  const logStart = await stat(logPath).then(
    ({ size }) => size,
    () => 0,
  )
  const log = await open(logPath, 'a', 0o600)
  const { command, args, identity } = commandIn(
    quarters,
    'postgres',
    serverArguments(quarters.data, port, durable),
  )
  // A session of its own: Ctrl-C in the terminal reaches us alone, and we close the database after the last request.
  const child = spawn(command, args, {
    ...identity,
    cwd: quarters.data,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const ended = new Promise<void>((settle, fail) => child.once('exit', () => settle()).once('error', fail))
  await log.close()

  const deadline = Date.now() + START_TIMEOUT_MS
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const postmaster = await findPostmaster(quarters.data)
    if (postmaster?.pid === child.pid && postmaster?.isReady) {
      return { outcome: 'ready', server: { port, ended, stop } } as const
    }
    await pause(10)
  }
  await stop()
  return { outcome: 'failed', log: (await readFile(logPath)).subarray(logStart).toString() } as const

  async function stop() {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await ended
  }
}

function serverArguments(data: string, port: number, durable: boolean): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Leaves out errors of single statements: the caller gets them, and they may hold personal data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
  if (!durable) Object.assign(settings, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
  const listed = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', data, ...listed, ...keeperArguments()]
}

async function loadPassword(folder: string): Promise<string> {
  const path = join(folder, 'postgres.password')
  await writeFile(path, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return readFile(path, 'utf8')
}

function freePort(): Promise<number> {
  return new Promise((settle, fail) => {
    const server = createServer()
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => settle(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The line that says why, out of all that PostgreSQL wrote. */
function reasonIn(log: string): string {
  const lines = log.trim().split('\n')
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/i.test(line)) ?? lines.at(-1) ?? ''
  return reason.replace(/^.*?(FATAL|PANIC|error): */i, '') || 'it says nothing in postgres.log'
}
