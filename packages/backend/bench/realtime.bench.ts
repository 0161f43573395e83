/**
 * Measures memory and delays of a thousand sockets.
 *
 * `node bench/realtime.bench.ts`: 1 000 real sockets (900 visitors, 100 customers with tokens) in another process, each subscribed
 * to a table with row-level security. Memory is that of the serving process; delays run from before the insert to the frame at the
 * socket. Then 100 000 rows in one transaction with one subscriber.
 *
 * Last result (two cores for all of it):
 *
 *   135 MB with 1 000 sockets (114 without), 174 MB after 100 changes to each of them
 *   100 000 deliveries: p50 125 ms, p99 459 ms
 *   100 000 rows in one statement: 3.2 s announced, 0.7 s not; all heard after 24.5 s, 176 MB
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { WebSocket } from 'ws'

import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { openDatabase } from '#backend/database/pool.ts'
import { prepareBackend } from '#backend/database/prepare-backend.ts'
import { createRealtime } from '#backend/realtime/create-realtime.ts'

const SOCKETS = 1_000
const PEOPLE = 100
const CHANGES = 100
const BULK = 100_000
const KEYS = { publishable: 'sb_publishable_bench', secret: 'sb_secret_bench' }

const SCHEMA = `
  create table public.notes (id bigint generated always as identity primary key, at float8, owner uuid);
  alter table public.notes enable row level security;
  create policy select_open on public.notes for select to anon, authenticated using (owner is null or owner = auth.uid());
  grant select on public.notes to anon, authenticated;
  create table public.bulk (id int primary key, text text);
  grant select on public.bulk to anon;
  alter publication supabase_realtime add table public.notes, public.bulk;`

const tokenOf = (person: number) => {
  const claims = {
    sub: `00000000-0000-4000-8000-${String(person).padStart(12, '0')}`,
    role: 'authenticated',
    exp: 4e9,
  }
  return ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'x'].join('.')
}

/** Runs in the serving process: sends its port, then its memory on every message. */
async function serve(url: string): Promise<void> {
  const web = createServer()
  const realtime = createRealtime({
    database: openDatabase(url),
    keys: KEYS,
    verifyToken: async (token) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()),
    log: console,
    limits: { socketsPerAddress: SOCKETS + 10 },
  })
  realtime.serve(web, { trustProxy: 0 })
  web.listen(0, '127.0.0.1', () => {
    const address = web.address()
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
  })
  process.on('message', () => process.send?.({ rss: process.memoryUsage.rss() }))
}

async function rssOf(child: ChildProcess): Promise<number> {
  const { rss } = await query<{ rss: number }>(child, () => child.send('memory'))
  return Math.round(rss / 2 ** 20)
}

function query<T>(child: ChildProcess, start: () => void = () => undefined): Promise<T> {
  return new Promise((resolve) => {
    child.once('message', (message: T) => resolve(message))
    start()
  })
}

interface Listener {
  table: string
  token?: string
  onChange: (record: { at?: number }) => void
}

/** Resolves when the subscription is confirmed. */
function subscribe(port: number, { table, token, onChange }: Listener): Promise<WebSocket> {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`,
    {
      perMessageDeflate: false,
    },
  )
  const config = { postgres_changes: [{ event: '*', schema: 'public', table }] }
  socket.on('open', () => {
    socket.send(
      JSON.stringify([
        '1',
        '1',
        'realtime:bench',
        'phx_join',
        { config, ...(token && { access_token: token }) },
      ]),
    )
  })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const [, , , event, payload] = JSON.parse(data.toString())
      if (event === 'system') resolve(socket)
      if (event === 'postgres_changes') onChange(payload.data.record)
    })
  })
}

async function measureDelivery(port: number, child: ChildProcess, database: Client): Promise<WebSocket[]> {
  const delays: number[] = []
  const onChange = ({ at = 0 }: { at?: number }) => void delays.push(performance.now() - at)
  console.log(`${await rssOf(child)} MB before`)
  const start = performance.now()
  const sockets: WebSocket[] = []
  for (let begun = 0; begun < SOCKETS; begun += 50) {
    const some = Array.from({ length: 50 }, (_, n) =>
      subscribe(port, { table: 'notes', onChange, ...(begun + n < PEOPLE && { token: tokenOf(begun + n) }) }),
    )
    sockets.push(...(await Promise.all(some)))
  }
  console.log(`${SOCKETS} sockets subscribed in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  console.log(`${await rssOf(child)} MB with ${SOCKETS} sockets`)

  for (let n = 0; n < CHANGES; n += 1) {
    await database.query('insert into public.notes (at) values ($1)', [performance.now()])
    while (delays.length < (n + 1) * SOCKETS) await pause(1)
    await pause(20)
  }
  const sorted = delays.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(0)
  console.log(`${delays.length} deliveries: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  console.log(`${await rssOf(child)} MB after`)
  return sockets
}

async function measureBulk(port: number, child: ChildProcess, database: Client): Promise<WebSocket> {
  const received: object[] = []
  const socket = await subscribe(port, { table: 'bulk', onChange: (record) => void received.push(record) })
  await database.query(`create table public.aside (id int primary key, text text)`)
  const rows = `select n, 'row ' || n from generate_series(1, ${BULK}) n`
  let start = performance.now()
  await database.query(`insert into public.aside ${rows}`)
  console.log(
    `${BULK} rows in one statement, unpublished table: ${((performance.now() - start) / 1000).toFixed(1)} s`,
  )
  start = performance.now()
  await database.query(`insert into public.bulk ${rows}`)
  console.log(
    `${BULK} rows in one statement, published table: ${((performance.now() - start) / 1000).toFixed(1)} s`,
  )
  while (received.length < BULK) await pause(20)
  console.log(
    `all received after ${((performance.now() - start) / 1000).toFixed(1)} s, ${await rssOf(child)} MB`,
  )
  return socket
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'realtime-bench-'))
  const postgres = await startPostgres(folder, { durable: false })
  const url = postgresUrl(postgres, 'supabase_admin')
  await prepareBackend(url)
  const database = new Client({ connectionString: url })
  await database.connect()
  await database.query(SCHEMA)
  const child = spawn(process.execPath, [process.argv[1] ?? '', '--role=server', `--url=${url}`], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port } = await query<{ port: number }>(child)
  try {
    const sockets = await measureDelivery(port, child, database)
    for (const socket of [...sockets, await measureBulk(port, child, database)]) socket.terminate()
  } finally {
    child.kill()
    await database.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const { values: options } = parseArgs({
  options: { role: { type: 'string' }, url: { type: 'string', default: '' } },
})
if (options.role === 'server') await serve(options.url)
else await main()
