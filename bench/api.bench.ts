/**
 * Measures latency and throughput of the calls of a purchase and of the order list. Writing calls are compared with a bare
 * PostgreSQL transaction that writes the same rows with prepared statements, without HTTP, policies and triggers; placing an order
 * is also compared with one that checks foreign keys. The shop's process runs on the first core; the kernel schedules PostgreSQL and
 * the eight clients.
 */
import { Client } from 'pg'
import { delivery } from '#test/storefront-calls/shopping.ts'
import { checkForeignKeys, orderTemplates, writeBareLine, writeBareOrder } from './bare-transaction.ts'
import {
  createAdmin,
  bestPace,
  callData,
  openTradingShop,
  type Pace,
  measurePace,
  createPeopleWithCarts,
  type CrowdCustomer,
  createPeople,
  type TradingShop,
  withDatabase,
} from './crowd.ts'
import { fillShop } from './large-shop.ts'
import { isMainModule, type BenchResult, runBench } from './result.ts'
import { orderAndPay, signUp } from './whole-order.ts'

const CLIENTS = 8
const ROUNDS = 3
const MIN_SHARE = 0.5

const CATALOGUE = `/rest/v1/products?select=${[
  'id,slug,name,description,category,price,price_with_hooks,image_url,images',
  'product_variants(id,slug,name,sku,image_url,image_alt,position)',
].join()}&status=eq.live&order=position`

export async function measureApi(): Promise<BenchResult[]> {
  const shop = await openTradingShop()
  try {
    await withDatabase(shop.databaseUrl, async (client) => {
      await fillShop(client, { clients: 200, orders: 2000 })
      await client.query('update public.product_variants set stock_quantity = 1000000')
    })
    return [
      await catalogueRow(shop),
      await cartRow(shop),
      await placingRow(shop),
      await wholeOrderRow(shop),
      await searchRow(shop),
    ]
  } finally {
    await shop.stop()
  }
}

async function catalogueRow(shop: TradingShop): Promise<BenchResult> {
  const read = () => callData(shop, { path: CATALOGUE })
  await measurePace(times(300, read))
  return row('Catalogue read', {
    alone: await measurePace(times(500, read)),
    together: await bestPace(
      Array.from({ length: ROUNDS }, () => times(2000, read)),
      CLIENTS,
    ),
  })
}

const LINES = 6

/** Returns six cart lines per person: one product in its variants. */
async function cartLines(shop: TradingShop, people: CrowdCustomer[]) {
  const { rows: colours } = await withDatabase(shop.databaseUrl, (client) =>
    client.query<{ product_name: string; product_variant: string; price: number }>(
      `select p.name as product_name, v.name as product_variant, p.price::float8 as price
       from public.product_variants v join public.products p on p.id = v.product_id
       where p.position = 1 order by v.position limit $1`,
      [LINES],
    ),
  )
  return people.flatMap((person) =>
    colours.map((colour) => ({
      person,
      line: { user_id: person.userId, ...colour, quantity: 1, with_hooks: false },
    })),
  )
}

async function cartRow(shop: TradingShop): Promise<BenchResult> {
  const insert = async (count: number) =>
    (await cartLines(shop, await createPeople(shop, count))).map(
      ({ person: { token }, line }) =>
        () =>
          callData(shop, { path: '/rest/v1/cart_items', method: 'POST', token, body: line }),
    )
  const bare = async (clients: Client[]) =>
    (await cartLines(shop, await createPeople(shop, 200))).map(
      ({ line }) =>
        (client: number) =>
          writeBareLine(at(clients, client), line),
    )
  await measurePace(await insert(40))
  await analyzeTables(shop)
  const alone = await measurePace(await insert(60))
  return row('Cart insert', { alone, ...(await compareWithBare(shop, () => insert(200), bare)) })
}

async function placingRow(shop: TradingShop): Promise<BenchResult> {
  const place = async (count: number) => {
    const people = await createPeopleWithCarts(shop, count)
    return people.map(
      ({ token }) =>
        () =>
          callData(shop, {
            path: '/rest/v1/rpc/place_order',
            method: 'POST',
            token,
            body: placeOrderInput(),
          }),
    )
  }
  const [template] = await createPeopleWithCarts(shop, 1)
  const placed = await callData(shop, {
    path: '/rest/v1/rpc/place_order',
    method: 'POST',
    body: placeOrderInput(),
    ...(template && { token: template.token }),
  })
  const { id }: { id: string } = JSON.parse(placed)
  const templates = await withDatabase(shop.databaseUrl, (client) => orderTemplates(client, id))
  const bare =
    (colours: string[]): BareWorks =>
    async (clients) => {
      await Promise.all(clients.map((client) => client.query(`set session_replication_role = 'replica'`)))
      await checkForeignKeys(at(clients, 0), { always: colours.length > 0 })
      const people = await createPeople(shop, 400)
      return people.map(({ userId }, index) => {
        const order = { templates, customerId: userId, variantId: colours[index % colours.length] }
        return (client) => writeBareOrder(at(clients, client), order)
      })
    }
  await measurePace(await place(50))
  await analyzeTables(shop)
  const alone = await measurePace(await place(100))
  // Compares with a transaction without checks and with one that checks foreign keys.
  const comparison = await compareWithBare(shop, () => place(400), bare([]), bare(await coloursSold(shop)))
  return row('Order placed (one call)', { alone, ...comparison })
}

/** Returns the variants that people with carts order. */
function coloursSold(shop: TradingShop): Promise<string[]> {
  return withDatabase(shop.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select v.id from public.product_variants v join public.products p on p.id = v.product_id
       where p.position = 1 order by v.position limit 5`,
    )
    return rows.map(({ id }) => id)
  })
}

async function wholeOrderRow(shop: TradingShop): Promise<BenchResult> {
  const accounts = await Promise.all(Array.from({ length: 60 }, () => signUp(shop)))
  const counts: number[] = []
  const works = accounts.map((account) => async () => counts.push(await orderAndPay(shop, account)))
  const alone = await measurePace(works.slice(0, 20))
  const together = await measurePace(works.slice(20), CLIENTS)
  return row(`Whole order, sign-in to paid, ${Math.min(...counts)} calls`, { alone, together })
}

async function searchRow(shop: TradingShop): Promise<BenchResult> {
  const { token } = await createAdmin(shop)
  const search = () =>
    callData(shop, {
      path: '/rest/v1/rpc/search_orders?term=mokoena&select=*,profiles(full_name,email,phone)&order=created_at.desc&limit=50',
      token,
    })
  await measurePace(times(50, search))
  return row('Admin order search, 2 000 orders', {
    alone: await measurePace(times(100, search)),
    together: await bestPace([times(300, search), times(300, search)], CLIENTS),
  })
}

interface Comparison {
  together: Pace
  bare: Pace
  /** The bare transaction with foreign keys and daily sales figures. */
  withKeys?: Pace | undefined
}

type BareWorks = (clients: Client[]) => Promise<((client: number) => Promise<unknown>)[]>

/** Alternates between the variants, so that other load on the machine affects all of them equally. */
async function compareWithBare(
  shop: TradingShop,
  ours: () => Promise<(() => Promise<unknown>)[]>,
  ...bare: [BareWorks, BareWorks?]
): Promise<Comparison> {
  const clients = Array.from({ length: CLIENTS }, () => new Client({ connectionString: shop.databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  const best: Pace[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, works] of [ours, ...bare].entries()) {
      if (!works) continue
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that none takes from another
      const pace = await paceWithPlans(await works(clients))
      if (pace.perSecond > (best[index]?.perSecond ?? 0)) best[index] = pace
    }
  }
  await Promise.all(clients.map((client) => client.end()))
  const [together, limit, withKeys] = best
  if (!together || !limit) throw new Error('Nothing was measured')
  return { together, bare: limit, withKeys }
}

/** Warms up the plans first: switching the foreign keys between rounds invalidates all plans of these tables. */
async function paceWithPlans(works: ((client: number) => Promise<unknown>)[]): Promise<Pace> {
  await measurePace(works.slice(0, 5 * CLIENTS), CLIENTS)
  return measurePace(works.slice(5 * CLIENTS), CLIENTS)
}

/** Does what autovacuum does within a minute in a busy shop: updates the statistics, so that plans for empty tables are replaced. */
async function analyzeTables(shop: TradingShop): Promise<void> {
  await withDatabase(shop.databaseUrl, (client) => client.query('analyze'))
}

function placeOrderInput() {
  return { idempotency_key: crypto.randomUUID(), delivery, expected_total: 500 }
}

function times<T>(count: number, work: T): T[] {
  return Array.from({ length: count }, () => work)
}

function at(clients: Client[], index: number): Client {
  const client = clients[index]
  if (!client) throw new Error(`Client ${index} does not exist`)
  return client
}

interface Paces extends Partial<Comparison> {
  alone: Pace
  together: Pace
}

function row(question: string, { alone, together, bare, withKeys }: Paces): BenchResult {
  const shareOf = (limit: Pace) => `${Math.round((100 * together.perSecond) / limit.perSecond)} %`
  const past = withKeys
    ? `, ${shareOf(withKeys)} of one that checks foreign keys (${Math.round(withKeys.perSecond)}/s)`
    : ''
  return {
    question,
    load: `alone; ${CLIENTS} clients, best of ${ROUNDS}`,
    result: `p50 ${alone.p50Ms.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} ms; ${Math.round(together.perSecond)}/s`,
    comparison: bare
      ? `${shareOf(bare)} of a bare transaction (${Math.round(bare.perSecond)}/s)${past}; at least ${MIN_SHARE * 100} %`
      : '',
    isMet: !bare || together.perSecond / bare.perSecond >= MIN_SHARE,
  }
}

if (isMainModule(import.meta.url)) await runBench(measureApi)
