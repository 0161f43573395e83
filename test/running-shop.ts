import { type ChildProcess, execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { ClientKeys } from '@saltfreak/backend'
import {
  type ExitResult,
  freePort,
  isLongRun,
  launchProgram,
  waitForOutput,
} from '@saltfreak/backend/testing'
import { nodeEnvironment, nodeFlags } from '../scripts/prepare.mjs'

/** Shorter than a test's time limit, so that the failure shows what the process printed. */
const EXIT_WITHIN_MS = isLongRun ? 500_000 : 50_000
const projectFolder = resolve(import.meta.dirname, '..')
/** Environment variable for the workers of a test run: a `PreparedShop` as JSON. */
const PREPARED_SHOP = 'PREPARED_SHOP'

export interface RunningShop {
  url: string
  dataDir: string
  process: ChildProcess
  /** From the file in the data folder; null once the password has been changed. */
  admin: { email: string; password: string } | null
  /** Everything it has printed so far. */
  output(): string
  /** What `npm run -s keys` prints beside it. */
  keys(): Promise<ClientKeys>
  /** Stops it as an operator would. Returns the exit code. */
  stop(): Promise<number | null>
}

/** What clients need, also of a shop of several processes behind a proxy. */
export type ReachableShop = Pick<RunningShop, 'url' | 'keys'>

interface Start {
  /** The project's folder. */
  folder?: string
  /** Passes `--dev`: hot reload without a build. */
  args?: string[]
}

/** A data folder after the first start, and its keys. */
interface PreparedShop {
  dataDir: string
  keys: ClientKeys
}

/**
 * Makes the first start of each shop of this test run begin with a copy of a prepared data folder, which saves it 1.5 seconds, and
 * temporary files of this and later processes go to one folder. The shops share the sizes of their pictures, because one takes 0.2
 * processor seconds. Returns a function that ends this and deletes them.
 */
export async function prepareShop(): Promise<() => Promise<void>> {
  const { TMPDIR } = process.env
  const folder = await mkdtemp(join(tmpdir(), 'journeys-'))
  process.env.TMPDIR = folder
  const dataDir = await mkdtemp(join(folder, 'shop-prepared-'))
  const shop = await startShop({ DATA_DIR: dataDir })
  const keys = await shop.keys()
  await shop.stop()
  const [sizes, sizesOfShop] = [join(folder, 'sizes'), join(dataDir, 'storage', 'derivatives')]
  await rm(sizesOfShop, { recursive: true, force: true })
  await mkdir(sizes)
  await symlink(sizes, sizesOfShop)
  process.env[PREPARED_SHOP] = JSON.stringify({ dataDir, keys } satisfies PreparedShop)
  return async () => {
    Reflect.deleteProperty(process.env, PREPARED_SHOP)
    if (TMPDIR === undefined) Reflect.deleteProperty(process.env, 'TMPDIR')
    else process.env.TMPDIR = TMPDIR
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts the real process on a free port as `npm start` does, from the existing build. */
export async function startShop(env: Record<string, string> = {}, start: Start = {}): Promise<RunningShop> {
  const port = env.PORT ?? String(await freePort())
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'shop-running-')))
  const prepared = env.DATA_DIR || env.DATABASE_URL || start.folder ? undefined : preparedShop()
  // With owners and permissions: PostgreSQL refuses to start on files of another account.
  if (prepared) await promisify(execFile)('cp', ['-a', `${prepared.dataDir}/.`, dataDir])
  const { process: shop, output } = launchShopProgram({ ...env, PORT: port, DATA_DIR: dataDir }, start)
  const ended = once(shop, 'exit')
  const isOpen = await Promise.race([waitForOutput(shop, /is open at/), ended.then(() => false)])
  if (!isOpen) {
    shop.kill('SIGKILL')
    if (!env.DATA_DIR) await rm(dataDir, { recursive: true, force: true })
    // Another program can listen to a free port while the shop opens its database.
    if (!env.PORT && output().includes(`port ${port} is in use`)) return startShop(env, start)
    throw new Error(`the shop did not open:\n${output()}`)
  }
  const signIn = await readFile(join(dataDir, 'first-admin.txt'), 'utf8').catch(() => '')
  const [, email, password] = /^e-mail +(\S+)\npassword +(\S+)$/m.exec(signIn) ?? []
  let keys = prepared ? Promise.resolve(prepared.keys) : undefined
  return {
    url: env.PUBLIC_URL ?? `http://localhost:${port}`,
    dataDir,
    process: shop,
    admin: email && password ? { email, password } : null,
    output,
    keys: () => (keys ??= printedKeys({ ...env, DATA_DIR: dataDir }, start)),
    async stop() {
      if (shop.exitCode === null && shop.signalCode === null) shop.kill('SIGTERM')
      await ended
      if (!env.DATA_DIR) await rm(dataDir, { recursive: true, force: true })
      return shop.exitCode
    },
  }
}

/** Starts the process, or another program, with settings that it should reject, and waits until it exits. */
export async function runUntilExit(
  env: Record<string, string>,
  command: Pick<Launch, 'program' | 'args'> = {},
): Promise<ExitResult> {
  const { process: shop, output } = launchShopProgram(env, command)
  try {
    await once(shop, 'close', { signal: AbortSignal.timeout(EXIT_WITHIN_MS) })
  } catch (error) {
    shop.kill('SIGKILL')
    throw new Error(`${command.program ?? 'the shop'} did not exit:\n${output()}`, { cause: error })
  }
  return { code: shop.exitCode, output: output() }
}

/** The address of a database for the arguments of a command, and its password for the environment. */
export function withoutPassword(databaseUrl: string): { address: string; password: string } {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { address: url.href, password }
}

/** Kills all PostgreSQL processes of a data folder, as a power cut would. `folder`: where the database was moved to. */
export async function killPostgres(dataDir: string, folder = 'postgres'): Promise<void> {
  const lines = await readFile(join(dataDir, folder, 'postmaster.pid'), 'utf8')
  process.kill(Number.parseInt(lines, 10), 'SIGKILL')
}

/** Stops or continues all PostgreSQL processes of a data folder, as a frozen machine would: they accept connections and do not answer. */
export async function signalPostgres(dataDir: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const lines = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const postmaster = Number.parseInt(lines, 10)
  // First, so that it starts no more children.
  process.kill(postmaster, signal)
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  for (const pid of children.trim().split(/\s+/).map(Number)) signalIfRunning(pid, signal)
}

/** A child of PostgreSQL may have ended meanwhile. */
function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function preparedShop(): PreparedShop | undefined {
  const { [PREPARED_SHOP]: json } = process.env
  return json ? JSON.parse(json) : undefined
}

async function printedKeys(env: Record<string, string>, start: Start): Promise<ClientKeys> {
  const { process: command, output } = launchShopProgram(env, {
    ...start,
    program: 'scripts/keys.ts',
    args: [],
  })
  await once(command, 'close')
  return JSON.parse(output())
}

interface Launch extends Start {
  program?: string
}

/** Starts a program of the project with a clean environment. */
export function launchShopProgram(env: Record<string, string>, start: Launch = {}) {
  const { program = 'server.ts', args = [], folder = projectFolder } = start
  return launchProgram({
    folder,
    args: [...nodeFlags, join(folder, program), ...args],
    // Not the settings of the developer's own shop.
    env: { ENV_FILE: devNull, ...nodeEnvironment, ...env },
  })
}
