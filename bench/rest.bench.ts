/**
 * How much of the driver's speed is left after HTTP, the gateway, the query grammar and the transaction?
 *
 * `node bench/rest.bench.ts` – 8 clients for 5 s a case, over HTTP to a server process of its own; the same main
 * statement through `pg` in a process of its own; and that statement in the transaction a request needs (begin, role
 * and claims, statement, commit). With `taskset` each answering process has the same one core. 10 000 films of 100
 * directors, row-level security on, PostgreSQL 17 on the same two cores.
 *
 * Last result (requests per second, p50 in ms, CPU of the answering process; share of the statement, of the transaction):
 *
 *   select by key        14 498/s  0.52 ms   63 µs    36 %  108 %
 *   50 rows, one embed    4 994/s  1.17 ms  112 µs    61 %  102 %
 *   insert returning     11 967/s  0.58 ms   81 µs    34 %   95 %
 *   rpc                  10 631/s  0.68 ms   77 µs    36 %  135 %
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { Client, type PoolClient } from 'pg'

import type { Statement } from '#backend/database/pipeline.ts'
import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { openDatabase } from '#backend/database/pool.ts'
import { becomeCaller, visitor } from '#backend/http/caller.ts'
import { createGateway } from '#backend/http/gateway.ts'
import { createRest } from '#backend/rest/create-rest.ts'
import { planFor, readRequest, type Target } from '#backend/rest/read-request.ts'
import { SchemaCache } from '#backend/rest/schema/cache.ts'
import { prepareBackend } from '#backend/database/prepare-backend.ts'

const CLIENTS = 8
const SECONDS = 5
const WARM_UP_SECONDS = 3
const KEYS = { publishable: 'sb_publishable_bench', secret: 'sb_secret_bench' }

const SCHEMA = `
  create table directors (id int primary key, name text not null);
  create table films (id int primary key, title text not null, director_id int not null references directors, price numeric(10, 2));
  create index on films (director_id);
  create table visits (id bigint generated always as identity primary key, page text not null, at timestamptz not null default now());
  create function film_price(film int) returns numeric language sql stable as $$ select price from public.films where id = film $$;
  insert into directors select n, 'Director ' || n from generate_series(1, 100) n;
  insert into films select n, 'Film ' || n, 1 + n % 100, n from generate_series(1, 10000) n;
  alter table films enable row level security;
  create policy select_all on films for select to anon using (true);
  grant usage on schema public to anon;
  grant select on films, directors to anon;
  grant select, insert on visits to anon;
  grant execute on function film_price to anon;
  analyze;`

interface Case {
  name: string
  method: 'GET' | 'POST'
  path: () => string
  target: Target
  body?: string
  prefer?: string
}

const film = () => 1 + Math.floor(Math.random() * 10_000)
const CASES: Case[] = [
  {
    name: 'select by key',
    method: 'GET',
    path: () => `/films?select=*&id=eq.${film()}`,
    target: { kind: 'relation', name: 'films' },
  },
  {
    name: '50 rows, one embed',
    method: 'GET',
    path: () => `/films?select=id,title,price,directors(id,name)&id=gt.${film() - 50}&order=id&limit=50`,
    target: { kind: 'relation', name: 'films' },
  },
  {
    name: 'insert returning',
    method: 'POST',
    path: () => '/visits?columns="page"&select=*',
    target: { kind: 'relation', name: 'visits' },
    body: '[{"page":"/products"}]',
    prefer: 'return=representation',
  },
  {
    name: 'rpc',
    method: 'POST',
    path: () => '/rpc/film_price',
    target: { kind: 'function', name: 'film_price' },
    body: '{"film":42}',
  },
]

interface Measured {
  perSecond: number
  p50: number
  p99: number
  /** Of the process that answers. On a machine that is busy with other things this is the figure to trust. */
  cpuMicroseconds: number
}

type CpuClock = () => Promise<number>

const ownCpu: CpuClock = async () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function measure(call: () => Promise<unknown>, cpuClock = ownCpu): Promise<Measured> {
  const times: number[] = []
  const loop = async (until: number, isWarm: boolean) => {
    while (performance.now() < until) {
      const start = performance.now()
      await call()
      if (isWarm) times.push(performance.now() - start)
    }
  }
  const all = async (seconds: number, isWarm: boolean) => {
    const until = performance.now() + seconds * 1000
    await Promise.all(Array.from({ length: CLIENTS }, () => loop(until, isWarm)))
  }
  await all(WARM_UP_SECONDS, false)
  const cpuBefore = await cpuClock()
  await all(SECONDS, true)
  const cpu = (await cpuClock()) - cpuBefore
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return {
    perSecond: Math.round(times.length / SECONDS),
    p50: at(0.5),
    p99: at(0.99),
    cpuMicroseconds: cpu / times.length,
  }
}

/** The server under test. */
async function runServer(url: string): Promise<void> {
  const database = openDatabase(url, { apiConnections: CLIENTS })
  const app = new Hono()
    .use(
      '/rest/v1/*',
      createGateway({ keys: KEYS, verifyToken: () => Promise.reject(new Error('no tokens here')) }),
    )
    .route('/rest/v1', createRest({ database, log: console }))
  serve({ fetch: app.fetch, port: 0 }, ({ port }) => process.send?.({ port }))
  process.on('message', async () => process.send?.(await ownCpu()))
}

/** The same statements, without anything around them. */
async function runDriver(url: string, name: string, isWhole: boolean): Promise<void> {
  const database = openDatabase(url, { apiConnections: CLIENTS })
  const chosen = CASES.find((each) => each.name === name)
  if (!chosen) throw new Error(`no case "${name}"`)
  const { text, values } = await statementOf(chosen, url)
  const position = values.findIndex((value) => value !== null && /^\d+$/.test(value))
  const query = () => ({
    name: 'bench',
    text,
    values: chosen.method === 'GET' ? values.with(position, String(film())) : values,
  })
  const { text: become, values: settings } = becomeCaller(visitor, {
    settings: { search_path: 'public', 'request.method': 'GET' },
  })
  const whole = async (client: PoolClient) => {
    await client.query('begin')
    await client.query({ name: 'become', text: become, values: settings })
    await client.query(query())
    await client.query('commit')
  }
  const result = await measure(async () => {
    if (!isWhole) return database.owner.query(query())
    const client = await database.owner.connect()
    await whole(client)
    client.release()
  })
  process.send?.(result)
  await database.close()
}

async function statementOf({ method, path, target, body, prefer }: Case, url: string): Promise<Statement> {
  const database = openDatabase(url)
  const settings = { exposed: ['public'] as const, maxRows: 1000, allowsRollback: false }
  const schema = await new SchemaCache(database, {
    exposed: ['public'],
    searchPath: ['public'],
    onError: console.error,
  }).reload()
  let statement: Statement | undefined
  const app = new Hono().all('*', async (c: Context) => {
    const limits = { bodyBytes: 2 ** 20, urlCharacters: 2 ** 15 }
    const request = await readRequest(c, {
      target,
      caller: visitor,
      settings: { ...settings, exposed: ['public'] },
      limits,
    })
    statement = planFor(method, target)(request, schema, { ...settings, exposed: ['public'] }).statements[0]
    return c.text('')
  })
  await app.request(`http://bench${path()}`, { method, ...requestInit({ body, prefer }) })
  await database.close()
  if (!statement) throw new Error('nothing was planned')
  return statement
}

function requestInit({ body, prefer }: Pick<Case, 'body' | 'prefer'>): RequestInit {
  return {
    headers: {
      apikey: KEYS.publishable,
      'Content-Type': 'application/json',
      ...(prefer && { Prefer: prefer }),
    },
    ...(body && { body }),
  }
}

/** As little of a client as will do: on two cores a real one would be what is measured. */
class HttpConnection {
  readonly #socket: Socket
  #received = ''
  #answered: ((status: number) => void) | undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => this.#receive(text))
  }

  send({ method, path, body = '', prefer }: Case): Promise<number> {
    const headers = [
      `${method} /rest/v1${path()} HTTP/1.1`,
      'Host: bench',
      `apikey: ${KEYS.publishable}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...(prefer ? [`Prefer: ${prefer}`] : []),
    ]
    this.#socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`)
    return new Promise((resolve) => {
      this.#answered = resolve
    })
  }

  #receive(text: string): void {
    this.#received += text
    const end = this.#received.indexOf('\r\n\r\n')
    const length = /content-length: (\d+)/i.exec(this.#received)?.[1]
    const isChunked = length === undefined
    const isWhole = isChunked
      ? this.#received.endsWith('0\r\n\r\n')
      : this.#received.length >= end + 4 + Number(length)
    if (end < 0 || !isWhole) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ''
    this.#answered?.(status)
  }

  close(): void {
    this.#socket.destroy()
  }
}

function startChild<T>(role: string, ...rest: string[]) {
  const script = process.argv[1] ?? ''
  const pin = hasTaskset() ? ['taskset', '-c', String(availableParallelism() - 1)] : []
  const [command = '', ...args] = [...pin, process.execPath, script, `--role=${role}`, ...rest]
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const message = new Promise<T>((resolve) => {
    child.once('message', (sent: T) => resolve(sent))
  })
  return { child, message }
}

function cpuOf(child: ChildProcess): CpuClock {
  return () =>
    new Promise((resolve) => {
      child.once('message', (microseconds: number) => resolve(microseconds))
      child.send('cpu')
    })
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'])
    return true
  } catch {
    // Then the kernel decides.
    return false
  }
}

async function compare(url: string): Promise<void> {
  const { child, message } = startChild<{ port: number }>('server', `--url=${url}`)
  const { port } = await message
  for (const each of CASES) {
    const connections = Array.from({ length: CLIENTS }, () => new HttpConnection(port))
    const overHttp = await measure(async () => {
      const connection = connections.pop()
      if (!connection) throw new Error('more calls at once than clients')
      const status = await connection.send(each)
      if (status >= 300) throw new Error(`${each.name}: ${status}`)
      connections.push(connection)
    }, cpuOf(child))
    for (const connection of connections) connection.close()
    const driver = ['driver', `--url=${url}`, `--case=${each.name}`] as const
    const alone = await startChild<Measured>(...driver).message
    const whole = await startChild<Measured>(...driver, '--whole').message
    report(each.name, overHttp, { alone, whole })
  }
  child.kill()
}

function report(name: string, http: Measured, { alone, whole }: { alone: Measured; whole: Measured }): void {
  const show = ({ perSecond, p50, cpuMicroseconds }: Measured) =>
    `${String(perSecond).padStart(6)}/s  p50 ${p50.toFixed(2)} ms  cpu ${cpuMicroseconds.toFixed(0).padStart(3)} µs`
  const share = (other: Measured) => `${Math.round((100 * http.perSecond) / other.perSecond)} %`
  console.log(name)
  console.log(`  http                       ${show(http)}`)
  console.log(`  driver, main statement     ${show(alone)}   ${share(alone)}`)
  console.log(`  driver, whole transaction  ${show(whole)}   ${share(whole)}`)
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rest-bench-'))
  const postgres = await startPostgres(folder, { durable: false })
  const url = postgresUrl(postgres, 'supabase_admin')
  try {
    await prepareBackend(url)
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(SCHEMA)
    await client.end()
    await compare(url)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const { values: options } = parseArgs({
  options: {
    role: { type: 'string' },
    url: { type: 'string', default: '' },
    case: { type: 'string', default: '' },
    whole: { type: 'boolean', default: false },
  },
})
if (options.role === 'server') await runServer(options.url)
else if (options.role === 'driver') await runDriver(options.url, options.case, options.whole)
else await main()
