/**
 * Does a page or a call that shows so many rows cost the same in a large shop as in a new one? Two shops side by side: the seed's 3 lures
 * and 100 orders, and 3 000 lures and a million orders with all that an order leaves behind. Each question is asked of both in turn, one
 * at a time, so that what else the machine does falls on both; the medians are compared. Pages that show as much as they have place for
 * are compared with a shop that just fills them.
 *
 * Filling the large shop takes five minutes. With `GROWN_DATA=<folder>` it is filled once and kept there.
 */
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { delivery } from '#test/storefront-calls/shopping.ts'
import type { Ask } from './admin.bench.ts'
import {
  anAdmin,
  call,
  openTradingShop,
  type Person,
  peopleWithCarts,
  somePeople,
  type TradingShop,
  withDatabase,
} from './crowd.ts'
import {
  ADMIN,
  FULL_LISTS,
  FULL_PAGES,
  OF_A_PERIOD,
  PAGES,
  questionsOfCustomer,
  VISITOR,
} from './growth-questions.ts'
import { fillLists, growShop, hangCatches, repeatLures } from './grown-shop.ts'
import { fillShop } from './large-shop.ts'
import { isRunByItself, median, type Row, runAlone } from './row.ts'
import { memoryOf, timeStart } from './start.bench.ts'

const LARGE = { lures: 3000, orders: 1_000_000 }
const SMALL = { clients: 40, orders: 100 }
/** Fills every page that shows the range, and the gallery's form that names a hundred. */
const FULL_RANGE = 102
const FULL_GALLERY = 60
const ROUNDS = 31
const AT_MOST = 1.5
const TOO_LONG_MS = 300
const PERIOD_AT_MOST_MS = 200
/** Below this a difference is the machine's and not the shop's. */
const NOISE_MS = 1

/** A question as it is asked of one shop, once for each round. */
type Questions = Record<string, (round: number) => PromiseLike<unknown>>

export async function measureGrowth(): Promise<Row[]> {
  const folders = { small: await newFolder(), large: process.env.GROWN_DATA ?? (await newFolder()) }
  const large = await openLargeShop(folders.large)
  const small = await openTradingShop({ DATA_DIR: folders.small })
  try {
    await withDatabase(small.databaseUrl, async (client) => {
      await fillShop(client, SMALL)
      await hangCatches(client, FULL_GALLERY)
    })
    for (const { databaseUrl } of [small, large]) {
      await withDatabase(databaseUrl, (client) =>
        client.query(
          'update public.product_variants set stock_quantity = 100000 where stock_quantity < 100000',
        ),
      )
    }
    const rows = await compare(await questionsTo(small), await questionsTo(large))
    await withDatabase(small.databaseUrl, async (client) => {
      await client.query(`set session_replication_role = 'replica'`)
      await repeatLures(client, FULL_RANGE)
      await fillLists(client)
      await client.query('vacuum analyze')
    })
    rows.push(...(await compare(await fullQuestionsTo(small), await fullQuestionsTo(large))))
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
  return mapped(paths, (path) => () => call(shop, { path }))
}

async function questionsTo(shop: TradingShop): Promise<Questions> {
  const admin = await anAdmin(shop)
  const buyers = await peopleWithCarts(shop, ROUNDS + 3)
  const [customer] = await peopleWithCarts(shop, 1)
  if (!customer) throw new Error('nobody was made')
  await placeOrder(shop, customer)
  const shoppers = await somePeople(shop, ROUNDS + 3)
  return {
    ...reads(shop, { ...PAGES, ...VISITOR }),
    ...asked(shop, customer, questionsOfCustomer(customer.userId)),
    'Cart insert': (round) => insertLine(shop, shoppers[round]),
    'Order placed': (round) => placeOrder(shop, buyers[round]),
    ...asked(shop, admin, { ...ADMIN, ...OF_A_PERIOD }),
  }
}

async function fullQuestionsTo(shop: TradingShop): Promise<Questions> {
  return { ...reads(shop, FULL_PAGES), ...asked(shop, await anAdmin(shop), FULL_LISTS) }
}

/** By the official client, whose answer is waited for with its count. */
function asked(shop: TradingShop, { token }: Person, questions: Record<string, Ask>): Questions {
  const client = createClient<ShopDatabase>(shop.url, shop.publishableKey, { accessToken: async () => token })
  return mapped(questions, (ask) => async () => {
    const { error } = await ask(client)
    if (error) throw new Error(error.message)
  })
}

function insertLine(shop: TradingShop, person: Person | undefined): Promise<string> {
  const line = { product_name: 'Chisel Nose Popper 150mm/30G', product_variant: 'Redhead 150mm' }
  return call(shop, {
    path: '/rest/v1/cart_items',
    method: 'POST',
    token: person?.token ?? '',
    body: { ...line, price: 110, quantity: 1, with_hooks: false, user_id: person?.userId },
  })
}

function placeOrder(shop: TradingShop, person: Person | undefined): Promise<string> {
  return call(shop, {
    path: '/rest/v1/rpc/place_order',
    method: 'POST',
    token: person?.token ?? '',
    body: { idempotency_key: crypto.randomUUID(), delivery, expected_total: 500 },
  })
}

async function compare(small: Questions, large: Questions): Promise<Row[]> {
  const rows: Row[] = []
  for (const [question, askSmall] of Object.entries(small)) {
    const askLarge = large[question]
    if (!askLarge) throw new Error(`nobody asked the large shop for ${question}`)
    rows.push(growthRow(question, await timeBoth(askSmall, askLarge)))
  }
  return rows
}

interface Times {
  smallMs: number
  largeMs: number
}

async function timeBoth(askSmall: Questions[string], askLarge: Questions[string]): Promise<Times> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    const smallMs = await timeOf(() => askSmall(round))
    const largeMs = await timeOf(() => askLarge(round)).catch((error: unknown) => {
      console.error('the large shop could not answer', error)
      return Infinity
    })
    // The first three fill the caches and let PostgreSQL plan.
    if (round < 3 && largeMs < TOO_LONG_MS) continue
    times.small.push(smallMs)
    times.large.push(largeMs)
    // What takes so long needs no more rounds to be seen.
    if (largeMs > TOO_LONG_MS && times.large.length >= 3) break
  }
  return { smallMs: median(times.small), largeMs: median(times.large) }
}

async function timeOf(ask: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now()
  await ask()
  return performance.now() - start
}

const GROWN = '3 → 3 000 lures, 100 → 1 000 000 orders'

function memoryRow(smallMb: number, largeMb: number): Row {
  return {
    question: 'Growth: memory of the Node process, after all this',
    load: GROWN,
    result: `${smallMb} → ${largeMb} MB`,
    beside: `${(largeMb / smallMb).toFixed(2)} times; at most ${AT_MOST}`,
    isReached: largeMb <= smallMb * AT_MOST,
  }
}

function startRow(smallS: number, largeS: number): Row {
  return {
    question: 'Growth: later start to the first page',
    load: GROWN,
    result: `${smallS.toFixed(1)} → ${largeS.toFixed(1)} s`,
    beside: 'at most 2 s',
    isReached: largeS <= 2,
  }
}

function growthRow(question: string, { smallMs, largeMs }: Times): Row {
  const ratio = largeMs / smallMs
  const isOfAPeriod = question in OF_A_PERIOD
  return {
    question: `Growth: ${question}`,
    load: GROWN,
    result: `${smallMs.toFixed(1)} → ${largeMs.toFixed(1)} ms`,
    beside: isOfAPeriod
      ? `adds up what 30 days hold; at most ${PERIOD_AT_MOST_MS} ms`
      : `${ratio.toFixed(2)} times; at most ${AT_MOST}, or ${NOISE_MS} ms more`,
    isReached: isOfAPeriod ? largeMs <= PERIOD_AT_MOST_MS : ratio <= AT_MOST || largeMs - smallMs < NOISE_MS,
  }
}

function mapped<From, To>(values: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

if (isRunByItself(import.meta.url)) await runAlone(measureGrowth)
