/**
 * Measures the overhead of HTTP, the gateway, the query grammar and the transaction over the driver.
 *
 * `node bench/rest.bench.ts`: 8 clients, medians of three rounds; each round alternates between
 *
 * - HTTP: the complete process that `npm start` starts, with its log;
 * - the statement: the same prepared main statement through `pg` only, without role, claims and transaction;
 * - the transaction: that statement with begin, role, claims, settings and commit, pipelined through `pg` only.
 *
 * The measured process runs on the same single core in all three cases; the kernel schedules PostgreSQL 17 and the HTTP clients. 10 000
 * films of 100 directors with row-level security.
 *
 * Last result (requests/s, share of the bare transaction): select by key 14 389, 88 %; 50 rows with an embed 5 592, 74 %;
 * insert 11 581, 75 %; function 9 361, 72 %.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { prepareBackend } from '#backend/database/prepare-backend.ts'
import { freePort } from '#backend/process/free-port.ts'
import { anyFilm, CASES, PUBLISHABLE_KEY, SCHEMA, type Case } from './rest/cases.ts'
import type { CallMode } from './rest/drive.ts'
import { HttpConnection, requestOf } from '#backend/testing/http-connection.ts'
import { CLIENT_COUNT, measure, medianOf, type Measured } from './rest/measure.ts'

const ROUNDS = 3

interface Backend {
  process: ChildProcess
  port: number
}

async function startBackend(databaseUrl: string, dataDir: string): Promise<Backend> {
  const port = await freePort()
  const flags = {
    'database-url': databaseUrl,
    port: String(port),
    'data-dir': dataDir,
    'publishable-key': PUBLISHABLE_KEY,
  }
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const backend = startPinned('../standalone/main.ts', args)
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok) {
    if (backend.exitCode !== null) throw new Error('The backend did not start')
  }
  return { process: backend, port }
}

/** Starts a script on the last core and discards its output. */
function startPinned(script: string, args: string[]): ChildProcess {
  const core = String(availableParallelism() - 1)
  const program = [process.execPath, join(import.meta.dirname, script), ...args]
  return spawn('taskset', ['-c', core, ...program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

async function measureHttp({ process: { pid = 0 }, port }: Backend, chosen: Case): Promise<Measured> {
  const connections = Array.from({ length: CLIENT_COUNT }, () => new HttpConnection(port))
  const { method, body, prefer } = chosen
  const headers = {
    apikey: PUBLISHABLE_KEY,
    'Content-Type': 'application/json',
    ...(prefer && { Prefer: prefer }),
  }
  const query = async (connection: HttpConnection) => {
    const path = `/rest/v1${chosen.path(anyFilm())}`
    const { status } = await connection.query(requestOf({ method, path, headers, ...(body && { body }) }))
    if (status >= 300) throw new Error(`${path} failed with ${status}`)
  }
  const measured = await measure(
    connections.map((connection) => () => query(connection)),
    pid,
  )
  for (const connection of connections) connection.close()
  return measured
}

async function measureDriver(url: string, { name }: Case, kind: CallMode): Promise<Measured> {
  const child = startPinned('rest/drive.ts', [url, name, kind])
  const [measured] = await once(child, 'message')
  await once(child, 'exit')
  return measured
}

async function compare(url: string, backend: Backend): Promise<void> {
  for (const each of CASES) {
    const http: Measured[] = []
    const statement: Measured[] = []
    const transaction: Measured[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      http.push(await measureHttp(backend, each))
      statement.push(await measureDriver(url, each, 'statement'))
      transaction.push(await measureDriver(url, each, 'transaction'))
    }
    report(each.name, medianOf(http), {
      statement: medianOf(statement),
      transaction: medianOf(transaction),
    })
  }
}

function report(name: string, http: Measured, driver: Record<CallMode, Measured>): void {
  const share = (other: Measured) => `${Math.round((100 * http.perSecond) / other.perSecond)} %`
  console.log(name)
  console.log(`  http                 ${show(http)}`)
  console.log(`  driver, statement    ${show(driver.statement)}   ${share(driver.statement)}`)
  console.log(`  driver, transaction  ${show(driver.transaction)}   ${share(driver.transaction)}`)
}

function show({ perSecond, p50Ms, cpuMicroseconds }: Measured): string {
  return `${String(perSecond).padStart(6)}/s  p50 ${p50Ms.toFixed(2)} ms  cpu ${cpuMicroseconds.toFixed(0).padStart(3)} µs`
}

execFileSync('taskset', ['--version'], { stdio: 'ignore' })
const folder = await mkdtemp(join(tmpdir(), 'rest-bench-'))
const postgres = await startPostgres(join(folder, 'postgres'), { durable: false })
const url = postgresUrl(postgres, 'supabase_admin')
try {
  await prepareBackend(url)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(SCHEMA)
  await client.end()
  const backend = await startBackend(url, join(folder, 'data'))
  await compare(url, backend)
  backend.process.kill()
  await once(backend.process, 'exit')
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
