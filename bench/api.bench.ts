/**
 * Measures latency and throughput of the calls of a purchase and of the order list. Writing calls are compared with a bare
 * PostgreSQL transaction that writes the same rows with prepared statements, without HTTP, policies and triggers. The shop's process runs on the first core; the kernel schedules PostgreSQL and
 * the eight clients.
 */
import { Client } from 'pg'
import { orderTemplates, writeBareLine, writeBareOrder } from './bare-transaction.ts'
import {
  best,
  callData,
  openTradingShop,
  type Pace,
  measurePace,
  createPeopleWithCarts,
  type CrowdCustomer,
  createPeople,
  only,
  orderRequest,
  type TradingShop,
  withDatabase,
} from './crowd.ts'
import { fillShop } from './large-shop.ts'
import type { BenchResult } from './result.ts'
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
    return [await catalogueRow(shop), await cartRow(shop), await placingRow(shop), await wholeOrderRow(shop)]
  } finally {
    await shop.stop()
  }
}

async function catalogueRow(shop: TradingShop): Promise<BenchResult> {
  const read = () => callData(shop, { path: CATALOGUE })
  await measurePace(times(300, read))
  return row('Catalogue read', {
    alone: await measurePace(times(500, read)),
    together: best([
      await measurePace(times(2000, read), CLIENTS),
      await measurePace(times(2000, read), CLIENTS),
      await measurePace(times(2000, read), CLIENTS),
    ]),
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
  const place = async (count: number) =>
    (await createPeopleWithCarts(shop, count)).map((person) => () => callData(shop, orderRequest(person)))
  const placed = await callData(shop, orderRequest(await only(createPeopleWithCarts(shop, 1))))
  const { id }: { id: string } = JSON.parse(placed)
  const templates = await withDatabase(shop.databaseUrl, (client) => orderTemplates(client, id))
  const bare = async (clients: Client[]) => {
    await Promise.all(clients.map((client) => client.query(`set session_replication_role = 'replica'`)))
    return (await createPeople(shop, 400)).map(
      ({ userId }) =>
        (client: number) =>
          writeBareOrder(at(clients, client), { templates, customerId: userId }),
    )
  }
  await measurePace(await place(50))
  await analyzeTables(shop)
  const alone = await measurePace(await place(100))
  return row('Order placed (one call)', { alone, ...(await compareWithBare(shop, () => place(400), bare)) })
}

async function wholeOrderRow(shop: TradingShop): Promise<BenchResult> {
  const accounts = await Promise.all(Array.from({ length: 60 }, () => signUp(shop)))
  const counts: number[] = []
  const works = accounts.map((account) => async () => counts.push(await orderAndPay(shop, account)))
  const alone = await measurePace(works.slice(0, 20))
  const together = await measurePace(works.slice(20), CLIENTS)
  return row(`Whole order, sign-in to paid, ${Math.min(...counts)} calls`, { alone, together })
}

interface Comparison {
  together: Pace
  bare: Pace
}

type BareWorks = (clients: Client[]) => Promise<((client: number) => Promise<unknown>)[]>

/** Alternates, so that other load on the machine affects both equally. */
async function compareWithBare(
  shop: TradingShop,
  ours: () => Promise<(() => Promise<unknown>)[]>,
  bare: BareWorks,
): Promise<Comparison> {
  const clients = Array.from({ length: CLIENTS }, () => new Client({ connectionString: shop.databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  const paces: Comparison[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    paces.push({
      together: await paceWithPlans(await ours()),
      bare: await paceWithPlans(await bare(clients)),
    })
  }
  await Promise.all(clients.map((client) => client.end()))
  return {
    together: best(paces.map(({ together }) => together)),
    bare: best(paces.map((pace) => pace.bare)),
  }
}

/** Warms up the plans first. */
async function paceWithPlans(works: ((client: number) => Promise<unknown>)[]): Promise<Pace> {
  await measurePace(works.slice(0, 5 * CLIENTS), CLIENTS)
  return measurePace(works.slice(5 * CLIENTS), CLIENTS)
}

/** Does what autovacuum does within a minute in a busy shop: updates the statistics, so that plans for empty tables are replaced. */
async function analyzeTables(shop: TradingShop): Promise<void> {
  await withDatabase(shop.databaseUrl, (client) => client.query('analyze'))
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

function row(question: string, { alone, together, bare }: Paces): BenchResult {
  const share = bare ? together.perSecond / bare.perSecond : 1
  return {
    question,
    load: `alone; ${CLIENTS} clients, best of ${ROUNDS}`,
    result: `p50 ${alone.p50Ms.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} ms; ${Math.round(together.perSecond)}/s`,
    comparison: bare
      ? `${Math.round(100 * share)} % of a bare transaction (${Math.round(bare.perSecond)}/s); at least ${MIN_SHARE * 100} %`
      : '',
    isMet: share >= MIN_SHARE,
  }
}
