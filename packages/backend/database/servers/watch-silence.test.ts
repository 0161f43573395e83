import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { quietLog } from '#backend/testing/quiet-log.ts'
import { type EmbeddedPostgres, postgresUrl, startPostgres } from '../embedded.ts'
import { openDatabase, type DatabasePools } from '../pool.ts'
import { whyUnavailable } from '../unavailable.ts'

let folder: string
let postgres: EmbeddedPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'silence-'))
  postgres = await startPostgres(folder, { durable: false })
})

afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Why a query failed; null if it was answered. */
function failureOf(database: DatabasePools) {
  return database.owner.query('select 1').then(() => null, whyUnavailable)
}

/** Stops or continues all processes of the server, as a debugger or a frozen machine does. */
async function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) process.kill(pid, signal)
}

/** Passes connections on to the database after `delayMs`. */
async function aSlowProxyTo(port: number, delayMs: number): Promise<Server> {
  const proxy = createServer(async (client) => {
    await pause(delayMs)
    const server = connect(port, '127.0.0.1')
    for (const end of [client, server]) end.on('error', () => undefined)
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

it('fails queries within seconds when the database stops to answer, and serves again when it continues', async () => {
  const silence = { log: quietLog, intervalMs: 50, timeoutMs: 1500 }
  const database = openDatabase(postgresUrl(postgres, 'supabase_admin'), { silence })
  expect(await failureOf(database)).toBeNull()

  await signalAll('SIGSTOP')
  try {
    expect(await Promise.all([failureOf(database), failureOf(database)])).toEqual(['lost', 'lost'])
    const askedAt = performance.now()
    expect(await failureOf(database)).toBe('lost')
    expect(performance.now() - askedAt).toBeLessThan(700)
  } finally {
    await signalAll('SIGCONT')
  }

  await expect.poll(() => failureOf(database)).toBeNull()
  await database.close()
})

it('notices the silence soon after the machine stood still meanwhile', async () => {
  const silence = { log: quietLog, intervalMs: 50, timeoutMs: 1500 }
  const database = openDatabase(postgresUrl(postgres, 'supabase_admin'), { silence })
  expect(await failureOf(database)).toBeNull()

  await signalAll('SIGSTOP')
  try {
    const failure = failureOf(database)
    await pause(200)
    const standing = new Int32Array(new SharedArrayBuffer(4))
    Atomics.wait(standing, 0, 0, 2500)
    const goesOnAt = performance.now()

    expect(await failure).toBe('lost')
    expect(performance.now() - goesOnAt).toBeLessThan(3000)
  } finally {
    await signalAll('SIGCONT')
  }

  await expect.poll(() => failureOf(database)).toBeNull()
  await database.close()
})

it('watches a database from the moment it is opened, not only after the first pause', async () => {
  const silence = { log: quietLog, intervalMs: 60_000 }
  const database = openDatabase(postgresUrl(postgres, 'supabase_admin'), { silence })
  const heartbeats = async () => {
    const { rowCount } = await database.owner.query(
      `select from pg_stat_activity where application_name = 'shop heartbeat'`,
    )
    return rowCount
  }

  await expect.poll(heartbeats).toBe(1)
  await database.close()
})

it('waits longer for a new connection, which a busy machine opens late', async () => {
  const proxy = await aSlowProxyTo(postgres.port, 2000)
  const address = proxy.address()
  if (!address || typeof address === 'string') throw new Error('the proxy has no port')
  const silence = { log: quietLog, intervalMs: 50, timeoutMs: 1000 }
  const database = openDatabase(postgresUrl({ ...postgres, port: address.port }, 'supabase_admin'), {
    silence,
  })
  try {
    expect(await failureOf(database)).toBeNull()
  } finally {
    await database.close()
    proxy.close()
  }
})
