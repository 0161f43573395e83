import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningShop, startShop } from '#test/running-shop.ts'

const folder = join(import.meta.dirname, 'tools')
const run = promisify(execFile)

/** Autocannon and Lighthouse weigh more than the shop, so they are installed here, and only by those who measure. */
export function installTools(): void {
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  })
}

interface ToolRun {
  env?: NodeJS.ProcessEnv
  /** As `taskset` names them. */
  cores?: string
}

/** Runs a tool, on the second core unless told otherwise, and answers what it printed. */
export async function runTool(
  name: string,
  args: string[],
  { env = {}, cores = '1' }: ToolRun = {},
): Promise<string> {
  const tool = join(folder, 'node_modules', '.bin', name)
  const { stdout } = await run('taskset', ['-c', cores, process.execPath, tool, ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** The shop as `npm start` runs it, on the first core alone. */
export async function openPinnedShop(env: Record<string, string> = {}): Promise<RunningShop> {
  const shop = await startShop(env)
  pinTo('0', shop.process.pid)
  return shop
}

export function pinTo(core: string, pid: number | undefined): void {
  execFileSync('taskset', ['-apc', core, String(pid)], { stdio: 'ignore' })
}

/** What a browser of today takes: the shop chooses. */
export const AS_BROWSERS_ASK = ['-H', 'Accept-Encoding: gzip, deflate, br, zstd']

interface Cannonade {
  perSecond: number
  /** Requests for each second of the server's own time on the core: what it would do if it had the core to itself. */
  perCpuSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
}

interface Target {
  url: string
  pid: number | undefined
}

export async function fireAt(
  { url, pid }: Target,
  { seconds = 5, connections = 16 } = {},
): Promise<Cannonade> {
  const args = ['--json', '-c', String(connections), '-d', String(seconds), ...AS_BROWSERS_ASK, url]
  const before = cpuSecondsOf(pid)
  const { requests, latency, non2xx, errors } = JSON.parse(await runTool('autocannon', args))
  const cpuSeconds = cpuSecondsOf(pid) - before
  return {
    perSecond: requests.average,
    perCpuSecond: requests.total / cpuSeconds,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    failures: non2xx + errors,
  }
}

/** In user and system mode, as the kernel counts it, a hundred times a second. */
function cpuSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
