/**
 * `npm run soak [-- <minutes>]`: keeps a shop busy, by default for an hour, with everything that people do in it, and fails if an answer
 * is an error other than a rate limit, or if memory, file descriptors or database connections keep growing. The first third warms it up; the second is compared
 * with the last.
 */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { uploadPhoto } from '#test/gallery-photo.ts'
import { call, createAdmin, openTradingShop, type TradingShop, withDatabase } from './crowd.ts'
import { fillShop } from './large-shop.ts'
import { median } from './result.ts'
import { orderAndPay, signUp } from './whole-order.ts'

const SAMPLE_EVERY_MS = 5_000
const PAUSE_MS = 250
const WORKERS = 3
/** What the garbage collector and PostgreSQL's caches may vary. */
const GROWTH_AT_MOST = 1.1

interface Sample {
  memoryMb: number
  descriptors: number
  connections: number
}

type Activity = (shop: TradingShop) => Promise<unknown>

const ACTIVITIES: Activity[] = [
  (shop) => page(shop, '/'),
  (shop) => page(shop, '/products'),
  (shop) => page(shop, `/products?q=${crypto.randomUUID()}`),
  (shop) => page(shop, '/products/chisel-nose-popper-150'),
  (shop) => page(shop, '/gallery'),
  (shop) => call(shop, { path: '/rest/v1/products?select=*,product_variants(*)&status=eq.live' }),
  async (shop) => {
    const { token } = await createAdmin(shop)
    return call(shop, { path: '/rest/v1/orders?select=*,order_items(*)&limit=25', token })
  },
  async (shop) => orderAndPay(shop, await signUp(shop)),
  (shop) => uploadPhoto(createClient(shop.url, shop.publishableKey)),
  listenForAMoment,
]

async function page(shop: TradingShop, path: string): Promise<void> {
  const response = await fetch(shop.url + path)
  if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
  await response.text()
}

async function listenForAMoment(shop: TradingShop): Promise<void> {
  const client = createClient(shop.url, shop.publishableKey)
  await new Promise<void>((settle, fail) => {
    client
      .channel(`soak-${crypto.randomUUID()}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: 'products' }, () => undefined)
      .subscribe((status) => {
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) settle()
        else fail(new Error(`live channel: ${status}`))
      })
  })
  await client.removeAllChannels()
}

async function keepBusy(
  shop: TradingShop,
  until: number,
): Promise<{ done: number; failures: Map<string, number> }> {
  const failures = new Map<string, number>()
  let done = 0
  const worker = async (first: number) => {
    for (let turn = first; Date.now() < until; turn += 1) {
      // oxlint-disable no-await-in-loop -- one thing after the other
      await ACTIVITIES[turn % ACTIVITIES.length]?.(shop).catch((error: unknown) => {
        const name = String(error)
        if (isRateLimit(name)) return
        failures.set(name, (failures.get(name) ?? 0) + 1)
      })
      await pause(PAUSE_MS)
      // oxlint-enable no-await-in-loop
      done += 1
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number * 3)))
  return { done, failures }
}

/** All activities come from one address, whose limits they reach. */
function isRateLimit(error: string): boolean {
  return /too many requests|rate limit/i.test(error)
}

async function takeSample(shop: TradingShop): Promise<Sample> {
  const folder = `/proc/${shop.process.pid}`
  const status = await readFile(`${folder}/status`, 'utf8')
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? []
  const { rows } = await withDatabase(shop.databaseUrl, (client) =>
    client.query('select count(*)::int as connections from pg_stat_activity where client_port is not null'),
  )
  return {
    memoryMb: Number(kilobytes) / 1024,
    descriptors: (await readdir(`${folder}/fd`)).length,
    connections: rows[0].connections,
  }
}

async function sampleUntil(shop: TradingShop, until: number): Promise<Sample[]> {
  const samples: Sample[] = []
  while (Date.now() < until) {
    // oxlint-disable no-await-in-loop -- samples at intervals
    samples.push(await takeSample(shop))
    await pause(SAMPLE_EVERY_MS)
    // oxlint-enable no-await-in-loop
  }
  return samples
}

/** Prints the medians of the three thirds. Returns whether the last is not above the second. */
function isStable(samples: Sample[], figure: keyof Sample): boolean {
  const third = Math.floor(samples.length / 3)
  const medians = [0, 1, 2].map((part) =>
    median(samples.slice(part * third, (part + 1) * third).map((sample) => sample[figure])),
  )
  const [, middle = 0, last = 0] = medians
  const passed = last <= middle * GROWTH_AT_MOST
  console.log(
    `${passed ? '✓' : '✗'} ${figure.padEnd(14)} ${medians.map((value) => value.toFixed(0)).join(' → ')}`,
  )
  return passed
}

const minutes = Number(process.argv[2] ?? 60)
const shop = await openTradingShop()
try {
  await withDatabase(shop.databaseUrl, async (client) => {
    await fillShop(client, { clients: 200, orders: 1000 })
    await client.query('update public.product_variants set stock_quantity = 1000000')
  })
  const until = Date.now() + minutes * 60_000
  const [{ done, failures }, samples] = await Promise.all([keepBusy(shop, until), sampleUntil(shop, until)])
  console.log(`${done} activities in ${minutes} minutes`)
  for (const [name, count] of failures) console.log(`✗ ${count} × ${name}`)
  const stable = [
    isStable(samples, 'memoryMb'),
    isStable(samples, 'descriptors'),
    isStable(samples, 'connections'),
  ]
  process.exitCode = failures.size === 0 && stable.every(Boolean) ? 0 : 1
} finally {
  await shop.stop()
}
