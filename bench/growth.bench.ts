/**
 * Do pages and calls with a fixed number of rows cost the same in a large shop as in a new one? Compares medians of two shops: 3
 * products and 100 orders, and 3 000 products and a million orders with payments, mails and history. Requests alternate between
 * both, so that other load on the machine affects them equally. Pages that show as many products as fit are compared with a shop that
 * just fills them.
 *
 * Filling the large shop takes five minutes. `GROWN_DATA=<folder>` stores it for later runs.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN, type AdminQuery, clientOf, figuresOfDays, FULL_LISTS } from './admin-queries.ts'
import {
  createAdmin,
  call,
  openTradingShop,
  type CrowdCustomer,
  createPeopleWithCarts,
  createPeople,
  only,
  orderRequest,
  type TradingShop,
  withDatabase,
} from './crowd.ts'
import { FULL_PAGES, PAGES, questionsOfCustomer, VISITOR } from './growth-questions.ts'
import { fillLists, growShop, addGalleryPhotos, repeatProducts } from './grown-shop.ts'
import { fillShop } from './large-shop.ts'
import { median, type BenchResult } from './result.ts'
import { memoryOf, timeStart } from './start.bench.ts'

const LARGE = { lures: 3000, orders: 1_000_000 }
const SMALL = { clients: 40, orders: 100 }
/** Enough products to fill every page of the catalogue and the gallery's form, which lists a hundred. */
const FULL_CATALOGUE = 102
const FULL_GALLERY = 60
const ROUNDS = 31
const MAX_RATIO = 1.5
const TOO_LONG_MS = 300
const PERIOD_QUERIES = figuresOfDays(30)
const PERIOD_AT_MOST_MS = 200
/** Smaller differences are measurement noise. */
const NOISE_MS = 1

/** Queries against one shop; each runs once per round. */
type Questions = Record<string, (round: number) => PromiseLike<unknown>>

export async function measureGrowth(): Promise<BenchResult[]> {
  const folders = { small: await newFolder(), large: process.env.GROWN_DATA ?? (await newFolder()) }
  const large = await openLargeShop(folders.large)
  const small = await openTradingShop({ DATA_DIR: folders.small })
  try {
    await withDatabase(small.databaseUrl, async (client) => {
      await fillShop(client, SMALL)
      await addGalleryPhotos(client, FULL_GALLERY)
    })
    for (const { databaseUrl } of [small, large]) {
      await withDatabase(databaseUrl, (client) =>
        client.query(
          'update public.product_variants set stock_quantity = 100000 where stock_quantity < 100000',
        ),
      )
    }
    const rows = await compare(await questionsFor(small), await questionsFor(large))
    await withDatabase(small.databaseUrl, async (client) => {
      await client.query(`set session_replication_role = 'replica'`)
      await repeatProducts(client, FULL_CATALOGUE)
      await fillLists(client)
      await client.query('vacuum analyze')
    })
    rows.push(...(await compare(await fullQuestionsFor(small), await fullQuestionsFor(large))))
    rows.push(memoryRow(await memoryOf(small), await memoryOf(large)))
    await Promise.all([small.stop(), large.stop()])
    return [...rows, startRow(await secondsToStart(folders.small), await secondsToStart(folders.large))]
  } finally {
    await Promise.all([small.stop(), large.stop()])
    await rm(folders.small, { recursive: true, force: true })
    if (!process.env.GROWN_DATA) await rm(folders.large, { recursive: true, force: true })
  }
}

async function secondsToStart(folder: string): Promise<number> {
  const { shop, seconds } = await timeStart(folder)
  await shop.stop()
  return seconds
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'shop-growth-'))
}

async function openLargeShop(folder: string): Promise<TradingShop> {
  const isGrown = existsSync(join(folder, 'postgres'))
  const shop = await openTradingShop({ DATA_DIR: folder })
  if (!isGrown) await withDatabase(shop.databaseUrl, (client) => growShop(client, LARGE))
  return shop
}

function reads(shop: TradingShop, paths: Record<string, string>): Questions {
  return mapValues(paths, (path) => () => call(shop, { path }))
}

async function questionsFor(shop: TradingShop): Promise<Questions> {
  const admin = await createAdmin(shop)
  const buyers = await createPeopleWithCarts(shop, ROUNDS + 3)
  const customer = await only(createPeopleWithCarts(shop, 1))
  await call(shop, orderRequest(customer))
  const shoppers = await createPeople(shop, ROUNDS + 3)
  return {
    ...reads(shop, { ...PAGES, ...VISITOR }),
    ...clientQuestions(shop, customer, questionsOfCustomer(customer.userId)),
    'Cart insert': (round) => insertLine(shop, at(shoppers, round)),
    'Order placed': (round) => call(shop, orderRequest(at(buyers, round))),
    ...clientQuestions(shop, admin, { ...ADMIN, ...PERIOD_QUERIES }),
  }
}

async function fullQuestionsFor(shop: TradingShop): Promise<Questions> {
  return { ...reads(shop, FULL_PAGES), ...clientQuestions(shop, await createAdmin(shop), FULL_LISTS) }
}

function clientQuestions(
  shop: TradingShop,
  person: CrowdCustomer,
  questions: Record<string, AdminQuery>,
): Questions {
  const ask = clientOf(shop, person)
  return mapValues(questions, (query) => () => ask(query))
}

function at(people: CrowdCustomer[], index: number): CrowdCustomer {
  const person = people[index]
  if (!person) throw new Error(`Person ${index} does not exist`)
  return person
}

function insertLine(shop: TradingShop, { token, userId }: CrowdCustomer): Promise<string> {
  const line = { product_name: 'Chisel Nose Popper 150mm/30G', product_variant: 'Redhead 150mm' }
  return call(shop, {
    path: '/rest/v1/cart_items',
    method: 'POST',
    token,
    body: { ...line, price: 110, quantity: 1, with_hooks: false, user_id: userId },
  })
}

async function compare(small: Questions, large: Questions): Promise<BenchResult[]> {
  const rows: BenchResult[] = []
  for (const [question, querySmall] of Object.entries(small)) {
    const queryLarge = large[question]
    if (!queryLarge) throw new Error(`The large shop has no query "${question}"`)
    rows.push(growthRow(question, await timeBoth(querySmall, queryLarge)))
  }
  return rows
}

interface Times {
  smallMs: number
  largeMs: number
}

async function timeBoth(querySmall: Questions[string], queryLarge: Questions[string]): Promise<Times> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    const smallMs = await timeOf(() => querySmall(round))
    const largeMs = await timeOf(() => queryLarge(round)).catch((error: unknown) => {
      console.error('The large shop failed', error)
      return Infinity
    })
    // The first three rounds warm up the caches and plans.
    if (round < 3 && largeMs < TOO_LONG_MS) continue
    times.small.push(smallMs)
    times.large.push(largeMs)
    // A query this slow needs no more rounds.
    if (largeMs > TOO_LONG_MS && times.large.length >= 3) break
  }
  return { smallMs: median(times.small), largeMs: median(times.large) }
}

async function timeOf(query: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now()
  await query()
  return performance.now() - start
}

const GROWN = '3 → 3 000 lures, 100 → 1 000 000 orders'

function memoryRow(smallMb: number, largeMb: number): BenchResult {
  return {
    question: 'Growth: memory of the Node process, after all this',
    load: GROWN,
    result: `${smallMb} → ${largeMb} MB`,
    comparison: `${(largeMb / smallMb).toFixed(2)} times; at most ${MAX_RATIO}`,
    isMet: largeMb <= smallMb * MAX_RATIO,
  }
}

function startRow(smallS: number, largeS: number): BenchResult {
  return {
    question: 'Growth: later start to the first page',
    load: GROWN,
    result: `${smallS.toFixed(1)} → ${largeS.toFixed(1)} s`,
    comparison: 'at most 2 s',
    isMet: largeS <= 2,
  }
}

function growthRow(question: string, { smallMs, largeMs }: Times): BenchResult {
  const ratio = largeMs / smallMs
  const isOfAPeriod = question in PERIOD_QUERIES
  return {
    question: `Growth: ${question}`,
    load: GROWN,
    result: `${smallMs.toFixed(1)} → ${largeMs.toFixed(1)} ms`,
    comparison: isOfAPeriod
      ? `adds up what 30 days hold; at most ${PERIOD_AT_MOST_MS} ms`
      : `${ratio.toFixed(2)} times; at most ${MAX_RATIO}, or ${NOISE_MS} ms more`,
    isMet: isOfAPeriod ? largeMs <= PERIOD_AT_MOST_MS : ratio <= MAX_RATIO || largeMs - smallMs < NOISE_MS,
  }
}

function mapValues<From, To>(values: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
