import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { Client } from 'pg'
import type { RunningShop } from '#test/running-shop.ts'
import { delivery } from '#test/shopping.ts'
import { openPinnedShop } from './measured-shop.ts'
import { findRunningPostgres, HttpConnection, postgresUrl, requestOf } from '@saltfreak/backend/testing'
import { median, percentile } from './result.ts'

/** The benchmark signs tokens itself, so that the measured shop does not hash passwords. */
const SECRET = 'a-secret-that-only-the-benchmark-uses'
/** Lets the shop accept the benchmark's tokens. */
export const TRADING = { JWT_SECRET: SECRET }

/** What buyers and the benchmark need of a shop, which may be several processes. */
export interface Market {
  url: string
  /** Connection URL of its database as superuser. */
  databaseUrl: string
  publishableKey: string
}

export interface TradingShop extends RunningShop, Market {}

export async function openTradingShop(
  env: Record<string, string> = {},
  folder?: string,
): Promise<TradingShop> {
  const shop = await openPinnedShop({ ...TRADING, ...env }, folder)
  const postgres = await findRunningPostgres(shop.dataDir)
  if (!postgres) throw new Error('The shop’s database is not running')
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

export interface CrowdCustomer {
  userId: string
  token: string
}

/** Creates signed-in customers. */
export async function createPeople(shop: Market, count: number): Promise<CrowdCustomer[]> {
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

/** Creates customers with one stick bait without hooks in the cart (R500). */
export async function createPeopleWithCarts(shop: TradingShop, count: number): Promise<CrowdCustomer[]> {
  const people = await createPeople(shop, count)
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

/** Returns the first of the people who were created. */
export async function only(people: Promise<CrowdCustomer[]>): Promise<CrowdCustomer> {
  const [person] = await people
  if (!person) throw new Error('Creating a person failed')
  return person
}

export async function createAdmin(shop: TradingShop): Promise<CrowdCustomer> {
  const person = await only(createPeople(shop, 1))
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

export interface CrowdRequest {
  path: string
  method?: 'GET' | 'POST'
  token?: string
  body?: unknown
}

/** The request of a customer with the cart of `createPeopleWithCarts`. */
export function orderRequest({ token }: CrowdCustomer): CrowdRequest {
  const body = { idempotency_key: crypto.randomUUID(), delivery, expected_total: 500 }
  return { path: '/rest/v1/rpc/place_order', method: 'POST', token, body }
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

export interface CrowdResponse {
  status: number
  body: string
}

function headersOf(shop: Market, { token, body }: CrowdRequest): Record<string, string> {
  return {
    apikey: shop.publishableKey,
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
}

/** An idle connection that the server closed while a call was sent over it. */
class ClosedWhileIdle extends Error {}

/** Sends one call over a socket; does not throw for an error status. Repeats a call over an idle connection that closes, as browsers do. */
export async function send(shop: TradingShop, wanted: CrowdRequest): Promise<CrowdResponse> {
  try {
    return await sendOnce(shop, wanted)
  } catch (error) {
    if (error instanceof ClosedWhileIdle) return send(shop, wanted)
    throw error
  }
}

function sendOnce(shop: TradingShop, wanted: CrowdRequest): Promise<CrowdResponse> {
  const { path, method = 'GET', body } = wanted
  const headers = headersOf(shop, wanted)
  return new Promise((settle, fail) => {
    const sent = request(shop.url + path, { method, agent, headers }, (answer) => {
      text(answer).then((content) => settle({ status: answer.statusCode ?? 0, body: content }), fail)
    })
    sent
      .once('error', (error) => fail(sent.reusedSocket ? new ClosedWhileIdle() : error))
      .end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Sends one call and throws for an error status. */
export async function call(shop: TradingShop, wanted: CrowdRequest): Promise<string> {
  const { status, body } = await send(shop, wanted)
  if (status >= 300) throw new Error(`${wanted.method ?? 'GET'} ${wanted.path}: ${status} ${body}`)
  return body
}

const idle: HttpConnection[] = []

/** Calls the data service over a pooled connection with a minimal client, which adds little to the measured time. */
export async function callData(shop: Market, wanted: CrowdRequest): Promise<string> {
  const { path, method = 'GET', body } = wanted
  const connection = idle.pop() ?? new HttpConnection(Number(new URL(shop.url).port))
  const headers = headersOf(shop, wanted)
  const parts = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await connection.query(requestOf(parts))
  idle.push(connection)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return answer.body
}

/** Closes pooled connections after each measurement: the server closes idle ones after some seconds. */
function closeIdleConnections(): void {
  for (const connection of idle.splice(0)) connection.close()
}

export interface Pace {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

export type Work = (client: number) => Promise<unknown>

/** Runs each work once with `clients` in parallel. */
export async function measurePace(works: Work[], clients = 1): Promise<Pace> {
  const waiting = [...works]
  const times: number[] = []
  const start = performance.now()
  const runWorker = async (client: number) => {
    for (let work = waiting.pop(); work; work = waiting.pop()) {
      const begin = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- a client asks again when it has its answer
      await work(client)
      times.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runWorker(client)))
  const seconds = (performance.now() - start) / 1000
  closeIdleConnections()
  return {
    perSecond: works.length / seconds,
    p50Ms: median(times),
    p99Ms: percentile(times, 0.99),
  }
}

/** The best of several rounds is influenced least by other load. */
export function best(paces: Pace[]): Pace {
  return paces.reduce((one, other) => (other.perSecond > one.perSecond ? other : one))
}
