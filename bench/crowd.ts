import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { Client } from 'pg'
import { findRunningPostgres, postgresUrl } from '#backend/database/embedded.ts'
import type { RunningShop } from '#test/running-shop.ts'
import { openPinnedShop } from './measured-shop.ts'
import { HttpConnection, requestOf } from './rest/http-connection.ts'
import { median } from './row.ts'

/** Tokens for any number of people are made here, instead of a password hash for each by the shop that is measured. */
const SECRET = 'nobody outside this bench has seen it'

export interface TradingShop extends RunningShop {
  /** The superuser's address of its database. */
  databaseUrl: string
  publishableKey: string
}

export async function openTradingShop(env: Record<string, string> = {}): Promise<TradingShop> {
  const shop = await openPinnedShop({ JWT_SECRET: SECRET, ...env })
  const postgres = await findRunningPostgres(shop.dataDir)
  if (!postgres) throw new Error('the shop runs without its database')
  const { publishable } = await shop.keys()
  return { ...shop, databaseUrl: postgresUrl(postgres, 'supabase_admin'), publishableKey: publishable }
}

export async function withDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export interface Person {
  userId: string
  token: string
}

/** Customers with accounts, signed in. */
export async function somePeople(shop: TradingShop, count: number): Promise<Person[]> {
  const { rows } = await withDatabase(shop.databaseUrl, (client) =>
    client.query<{ id: string }>(
      `insert into auth.users (id, email)
       select id, 'angler-' || id || '@example.com' from (select gen_random_uuid() as id from generate_series(1, $1)) people
       returning id`,
      [count],
    ),
  )
  return Promise.all(rows.map(async ({ id }) => ({ userId: id, token: await tokenFor(id) })))
}

/** Each with one stick bait without hooks in the cart: R500 and nothing else to choose. */
export async function peopleWithCarts(shop: TradingShop, count: number): Promise<Person[]> {
  const people = await somePeople(shop, count)
  await withDatabase(shop.databaseUrl, (client) =>
    client.query(
      `insert into public.cart_items (user_id, product_name, product_variant, price, quantity, with_hooks)
       select person, p.name, v.name, p.price, 1, false
       from unnest($1::uuid[]) with ordinality as people (person, n)
       join public.products p on p.position = 1
       join lateral (select name from public.product_variants where product_id = p.id order by position offset n % 5 limit 1) v on true`,
      [people.map(({ userId }) => userId)],
    ),
  )
  return people
}

/** One who may do what the brothers may. */
export async function anAdmin(shop: TradingShop): Promise<Person> {
  const [person] = await somePeople(shop, 1)
  if (!person) throw new Error('nobody was made')
  await withDatabase(shop.databaseUrl, (client) =>
    client.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [person.userId]),
  )
  return person
}

function tokenFor(userId: string): Promise<string> {
  return new SignJWT({ role: 'authenticated', aal: 'aal1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET))
}

export interface Call {
  path: string
  method?: 'GET' | 'POST'
  token?: string
  body?: unknown
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

export interface Answer {
  status: number
  body: string
}

function headersOf(shop: TradingShop, { token, body }: Call): Record<string, string> {
  return {
    apikey: shop.publishableKey,
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
}

/** One call over the socket. */
export function send(shop: TradingShop, wanted: Call): Promise<Answer> {
  const { path, method = 'GET', body } = wanted
  const headers = headersOf(shop, wanted)
  return new Promise((settle, fail) => {
    request(shop.url + path, { method, agent, headers }, (answer) => {
      text(answer).then((content) => settle({ status: answer.statusCode ?? 0, body: content }), fail)
    })
      .once('error', fail)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The same, and anything but success is a failure of the bench. */
export async function call(shop: TradingShop, wanted: Call): Promise<string> {
  const { status, body } = await send(shop, wanted)
  if (status >= 300) throw new Error(`${wanted.method ?? 'GET'} ${wanted.path}: ${status} ${body}`)
  return body
}

const idle: HttpConnection[] = []

/** A call of the data service over one of a few connections, by a client that is no part of what is measured. */
export async function callData(shop: TradingShop, wanted: Call): Promise<string> {
  const { path, method = 'GET', body } = wanted
  const connection = idle.pop() ?? new HttpConnection(Number(new URL(shop.url).port))
  const headers = headersOf(shop, wanted)
  const asked = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await connection.ask(requestOf(asked))
  idle.push(connection)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return answer.body
}

/** A server closes what is idle for some seconds, so nobody keeps a connection from one question to the next. */
function hangUp(): void {
  for (const connection of idle.splice(0)) connection.close()
}

export interface Pace {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

type Work = (client: number) => Promise<unknown>

/** Does each work once, so many at a time. */
export async function paceOf(works: Work[], clients = 1): Promise<Pace> {
  const waiting = [...works]
  const times: number[] = []
  const start = performance.now()
  const takeTurns = async (client: number) => {
    for (let work = waiting.pop(); work; work = waiting.pop()) {
      const begin = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- a client asks again when it has its answer
      await work(client)
      times.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => takeTurns(client)))
  const seconds = (performance.now() - start) / 1000
  hangUp()
  const sorted = times.toSorted((one, other) => one - other)
  return {
    perSecond: works.length / seconds,
    p50Ms: median(times),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  }
}

/** What nobody's interference made slower: the best of a few rounds, each by works of its own. */
export async function bestPace(rounds: Work[][], clients: number): Promise<Pace> {
  const paces: Pace[] = []
  for (const works of rounds) paces.push(await paceOf(works, clients))
  return paces.reduce((best, pace) => (pace.perSecond > best.perSecond ? pace : best))
}
