/**
 * Measures what a request costs each program of the four setups in docs/scale.md, and whether that predicts ten times as many.
 *
 * The cost is processor time, so other work on the machine and the load generator do not count. For each kind of request, a straight
 * line through batches of n, 2 n and 3 n predicts a batch of 10 n, which is measured then. Its slope is the cost of one request.
 */
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { HttpConnection, requestOf } from '@saltfreak/backend/testing'
import { measureFirstView } from '../e2e/fixtures/first-view.ts'
import { findBrowser } from '../scripts/browser.mjs'
import { type Batch, capacityOf, type Cost, entriesOf, type Hardware, predict, sum } from './capacity.ts'
import { measurePace, type Pace, withDatabase, type Work } from './crowd.ts'
import { sales } from './drop.ts'
import { cpuSecondsOf } from './measured-shop.ts'
import type { BenchResult } from './result.ts'
import {
  openBehindCdn,
  openOneMachine,
  openOneProcess,
  openThreeMachines,
  type SetupProgram,
  type Setup,
} from './setups.ts'

/** Four cores for each of three machines, two for the load balancer; the files and the CDN are a provider's. */
const MACHINES: Hardware = { cores: { shop: 12, database: 8, proxy: 2 } }

const SETUPS = new Map<string, { open: () => Promise<Setup>; hardware: Hardware; assumed: string }>([
  ['one process on one core', { open: openOneProcess, hardware: { cores: 1 }, assumed: 'one core' }],
  ['one machine, two processes', { open: openOneMachine, hardware: { cores: 2 }, assumed: 'two cores' }],
  [
    'three machines',
    {
      open: openThreeMachines,
      hardware: MACHINES,
      assumed: '12 cores for the shop, 8 for PostgreSQL, 2 for nginx',
    },
  ],
  [
    'behind a CDN',
    {
      open: openBehindCdn,
      hardware: MACHINES,
      assumed: '12 cores for the shop, 8 for PostgreSQL, 2 for nginx',
    },
  ],
])

const FITTED = [1, 2, 3]
const PREDICTED = 10
const ERROR_AT_MOST = 0.2
const CLIENTS = 8
/** nginx closes a connection after a thousand requests. */
const REQUESTS_OF_CONNECTION = 100

interface Kind {
  name: string
  /** The smallest batch: long enough for the kernel's hundredths of a second. */
  count: number
  /** How many requests come before; as many as the largest batch by default. */
  warmUp?: number
  works(this: void, setup: Setup, count: number): Promise<Work[]>
}

const KINDS: Kind[] = [
  {
    name: 'cached page',
    count: 2000,
    warmUp: 5000,
    works: (setup, count) => reads(setup, '/products', count),
  },
  {
    name: 'rendered page',
    count: 100,
    warmUp: 1500,
    works: (setup, count) => reads(setup, '/products?rendered', count),
  },
  {
    name: 'resized picture',
    count: 40,
    works: (setup, count) =>
      reads(setup, '/storage/v1/render/image/public/site/hero/hero-poster.jpg?width=640&quality=70', count),
  },
  { name: 'cart insert and order', count: 60, works: (setup, count) => sales(setup, 'many', count) },
]

/** Calls `report` with each row as soon as it is measured: all of them take minutes. */
export async function measureSetups(
  names: string[] = [...SETUPS.keys()],
  report: (row: BenchResult) => void = () => undefined,
): Promise<BenchResult[]> {
  const rows: BenchResult[] = []
  function add(row: BenchResult): void {
    rows.push(row)
    report(row)
  }
  for (const name of names) {
    const known = SETUPS.get(name)
    if (!known) throw new Error(`There is no setup ${name}`)
    const setup = await known.open()
    try {
      await withDatabase(setup.databaseUrl, (client) =>
        client.query('update public.product_variants set stock_quantity = 1000000'),
      )
      const limits: string[] = []
      for (const kind of KINDS) {
        const { row, cost } = await measureKind(name, setup, kind)
        add(row)
        const { perSecond, bottleneck } = capacityOf(cost, known.hardware)
        limits.push(`${kind.name} ${Math.round(perSecond)}/s (${bottleneck})`)
      }
      add({
        question: `${name}: predicted limits`,
        load: known.assumed,
        result: limits.join(', '),
        comparison: 'the program with the least time left',
        isMet: true,
      })
      if (setup.traffic) add(await measureTraffic(name, setup))
    } finally {
      await setup.close()
    }
  }
  return rows
}

async function measureKind(
  name: string,
  setup: Setup,
  kind: Kind,
): Promise<{ row: BenchResult; cost: Cost }> {
  // V8 compiles what runs often, and connections are opened.
  await runBatch(setup, kind, kind.warmUp ?? PREDICTED * kind.count)
  const batches: Batch[] = []
  for (const factor of FITTED) batches.push(await runBatch(setup, kind, factor * kind.count))
  const actual = await runBatch(setup, kind, PREDICTED * kind.count)
  const all = sum(entriesOf(actual.cost).map(([, seconds]) => seconds))
  const error = predict(batches, actual.count) / all - 1
  const cost: Cost = {}
  for (const [program, seconds] of entriesOf(actual.cost)) cost[program] = (1000 * seconds) / actual.count
  const each = entriesOf(cost).map(([program, milliseconds]) => `${program} ${milliseconds.toFixed(2)}`)
  const row = {
    question: `${name}: ${kind.name}`,
    load: `${actual.count} requests by ${CLIENTS} clients`,
    result: `${((1000 * all) / actual.count).toFixed(2)} ms of processor time (${each.join(', ')}); ${Math.round(actual.perSecond)}/s beside the load generator, p99 ${Math.round(actual.p99Ms)} ms`,
    comparison: `predicted from smaller batches with an error of ${(100 * error).toFixed(0)} %; at most ${100 * ERROR_AT_MOST} %`,
    isMet: Math.abs(error) <= ERROR_AT_MOST,
  }
  return { row, cost }
}

async function runBatch(setup: Setup, { works }: Kind, count: number): Promise<Batch & Pace> {
  const batch = await works(setup, count)
  const before = secondsByPid(setup)
  const pace = await measurePace(batch, CLIENTS)
  const cost: Cost = {}
  for (const [pid, { program, seconds }] of secondsByPid(setup))
    cost[program] = (cost[program] ?? 0) + seconds - (before.get(pid)?.seconds ?? 0)
  return { ...pace, count, cost }
}

/** Processor seconds that each process has used so far. */
function secondsByPid(setup: Setup): Map<number, { program: SetupProgram; seconds: number }> {
  return new Map(
    entriesOf(setup.pids()).flatMap(([program, pids]) =>
      pids.flatMap((pid) =>
        isRunning(pid) ? [[pid, { program, seconds: cpuSecondsOf(pid) }] as const] : [],
      ),
    ),
  )
}

/** Workers of PostgreSQL come and go. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`)
}

/** Each client has a connection, and opens another one now and then. */
async function reads({ url }: Setup, path: string, count: number): Promise<Work[]> {
  const headers = { 'Accept-Encoding': 'gzip, deflate, br, zstd', Accept: 'image/avif,image/webp,*/*' }
  const request = requestOf({ method: 'GET', path, headers })
  const port = Number(new URL(url).port)
  const open = new Map<number, { connection: HttpConnection; left: number }>()
  return Array.from({ length: count }, () => async (client) => {
    let own = open.get(client)
    if (!own?.left) {
      own?.connection.close()
      own = { connection: new HttpConnection(port), left: REQUESTS_OF_CONNECTION }
      open.set(client, own)
    }
    own.left -= 1
    const { status } = await own.connection.query(request)
    if (status !== 200) throw new Error(`${path} was answered ${status}`)
  })
}

/** A first view whose pictures and scripts the CDN has. */
async function measureTraffic(name: string, setup: Setup): Promise<BenchResult> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
  })
  try {
    const view = async () => {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      await measureFirstView(await context.newPage(), `${setup.url}/products`)
      await context.close()
    }
    await view()
    await setup.traffic?.()
    await view()
    const traffic = await setup.traffic?.()
    return {
      question: `${name}: first view of /products`,
      load: 'the second visitor, with an empty cache',
      result: `${kilobytes(traffic?.bytes)} kB in ${traffic?.requests} requests from the CDN, of which the shop sent ${kilobytes(traffic?.shopBytes)} kB in ${traffic?.shopRequests}`,
      comparison: '',
      isMet: true,
    }
  } finally {
    await browser.close()
  }
}

function kilobytes(bytes = 0): number {
  return Math.round(bytes / 1000)
}
