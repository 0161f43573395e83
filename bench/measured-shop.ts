import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningShop, startShop } from '#test/running-shop.ts'

const folder = join(import.meta.dirname, 'tools')
const run = promisify(execFile)

/** Installs Autocannon and Lighthouse on demand, because they are larger than the shop's own dependencies. */
export function installTools(): void {
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  })
}

interface ToolRun {
  env?: NodeJS.ProcessEnv
  /** A core list for `taskset`. */
  cores?: string
}

/** Runs a tool, by default on the second core, and returns its output. */
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

/** Starts the shop on the first core, by default the one of this folder. */
export async function openPinnedShop(
  env: Record<string, string> = {},
  checkout?: string,
): Promise<RunningShop> {
  const shop = await startShop(env, { folder: checkout })
  pinTo('0', shop.process.pid)
  return shop
}

export function pinTo(core: string, pid: number | undefined): void {
  execFileSync('taskset', ['-apc', core, String(pid)], { stdio: 'ignore' })
}

/** Encodings that current browsers accept. */
export const BROWSER_HEADERS = ['-H', 'Accept-Encoding: gzip, deflate, br, zstd']

interface LoadTestResult {
  perSecond: number
  /** Requests per second of the server's CPU time: its throughput without other load on the core. */
  perCpuSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
}

interface LoadTarget {
  url: string
  pid: number | undefined
}

export async function loadTest(
  { url, pid }: LoadTarget,
  { seconds = 5, connections = 16 } = {},
): Promise<LoadTestResult> {
  const args = ['--json', '-c', String(connections), '-d', String(seconds), ...BROWSER_HEADERS, url]
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

/** User and system time; the kernel counts hundredths of a second. */
export function cpuSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

interface RunningProcess {
  pid: number
  /** Its name, at most 15 characters. */
  program: string
}

/** Returns a process with its children, their children and so on: those of the shop with PostgreSQL's. */
export function processesBelow(pid = 0): RunningProcess[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n')
  const all = lines.map((line) => line.trim().split(/\s+/))
  const found = all.flatMap(([own, , program = '']) => (Number(own) === pid ? [{ pid, program }] : []))
  for (const ancestor of found) {
    for (const [child, parent, program = ''] of all)
      if (Number(parent) === ancestor.pid) found.push({ pid: Number(child), program })
  }
  return found
}
