/**
 * Asks how many more pages two processes render on two cores than one on one core. Each request renders its page anew, reads nothing
 * from the database, and has a connection of its own, as behind nginx.
 *
 * The load generator runs on the cores of the shop, as may whatever else runs on the machine. Their time is counted out: pages are
 * divided by the core-seconds that the shop used or left idle. A process that idles because the other one got the requests counts
 * against the result. Short runs alternate, and their sums count.
 */
import { readFileSync } from 'node:fs'
import { HttpConnection, requestOf } from '@saltfreak/backend/testing'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { cpuSecondsOf, pinTo, processesBelow } from './measured-shop.ts'
import type { BenchResult } from './result.ts'

const ROUNDS = 12
const SECONDS = 2
const AT_ONCE = 16
const AT_LEAST = 1.8
/** V8 has compiled what a process runs often after as many pages. */
const WARM_UP = 2000
const PAGE = '/products?rendered'

interface Work {
  pages: number
  seconds: number
  /** That the shop used or left idle. */
  coreSeconds: number
}

const NOTHING: Work = { pages: 0, seconds: 0, coreSeconds: 0 }

export async function measureProcesses(): Promise<BenchResult[]> {
  const env = { LOG_LEVEL: 'warn' }
  const [one, two] = [await startShop(env), await startShop({ ...env, PROCESSES: '2' })]
  try {
    pin(one, '0')
    pin(two, '0,1')
    await load(one, { pages: WARM_UP })
    await load(two, { pages: 2 * WARM_UP })
    const total = { one: { ...NOTHING }, two: { ...NOTHING } }
    for (let round = 0; round < ROUNDS; round += 1) {
      // oxlint-disable no-await-in-loop -- runs alternate
      addTo(total.one, await measure(one, [0]))
      addTo(total.two, await measure(two, [0, 1]))
      // oxlint-enable no-await-in-loop
    }
    const [alone, both] = [total.one, total.two].map(({ pages, coreSeconds }) => pages / coreSeconds)
    const factor = (2 * (both ?? 0)) / (alone ?? 0)
    const perSecond = [total.two, total.one].map(({ pages, seconds }) => (pages / seconds).toFixed(0))
    return [
      {
        question: 'Rendered pages, two processes on two cores',
        load: `${AT_ONCE} requests at once, ${ROUNDS} × ${SECONDS} s each, alternating`,
        result: `${factor.toFixed(2)} times one process: ${both?.toFixed(0)} against ${alone?.toFixed(0)} pages per core-second free for the shop; ${perSecond.join(' against ')}/s with everything else on the same cores`,
        comparison: `at least ${AT_LEAST} times`,
        isMet: factor >= AT_LEAST,
      },
    ]
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
}

async function measure(shop: RunningShop, cores: number[]): Promise<Work> {
  // The load generator disturbs the shop on its cores, so it must do so in both cases.
  pinTo(cores.join(','), process.pid)
  const before = coreSecondsFree(shop, cores)
  const start = performance.now()
  const pages = await load(shop, { seconds: SECONDS })
  const seconds = (performance.now() - start) / 1000
  return { pages, seconds, coreSeconds: coreSecondsFree(shop, cores) - before }
}

function addTo(total: Work, { pages, seconds, coreSeconds }: Work): void {
  total.pages += pages
  total.seconds += seconds
  total.coreSeconds += coreSeconds
}

/** Requests pages for some time, or a number of them. Returns how many were answered. */
async function load(
  { url }: RunningShop,
  { seconds = Infinity, pages: atMost = Infinity }: { seconds?: number; pages?: number },
): Promise<number> {
  const until = performance.now() + seconds * 1000
  const headers = { 'Accept-Encoding': 'gzip, deflate, br, zstd', Connection: 'close' }
  const request = requestOf({ method: 'GET', path: PAGE, headers })
  let pages = 0
  const loads = Array.from({ length: AT_ONCE }, async () => {
    while (performance.now() < until && pages < atMost) {
      const connection = new HttpConnection(Number(new URL(url).port))
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      const { status } = await connection.query(request)
      connection.close()
      if (status !== 200) throw new Error(`${PAGE} was answered ${status}`)
      pages += 1
    }
  })
  await Promise.all(loads)
  return pages
}

/** The core-seconds since the machine's start that the shop's own processes used or that nothing used. The kernel counts hundredths. */
function coreSecondsFree(shop: RunningShop, cores: number[]): number {
  const text = readFileSync('/proc/stat', 'utf8')
  const idle = cores.map((core) => {
    const fields = new RegExp(`^cpu${core} (.+)$`, 'm').exec(text)?.[1]?.split(' ') ?? []
    return (Number(fields[3]) + Number(fields[4])) / 100
  })
  const used = processesBelow(shop.process.pid)
    .filter(({ program }) => program !== 'postgres')
    .map(({ pid }) => cpuSecondsOf(pid))
  return [...idle, ...used].reduce((sum, seconds) => sum + seconds, 0)
}

function pin(shop: RunningShop, cores: string): void {
  for (const { pid } of processesBelow(shop.process.pid)) pinTo(cores, pid)
}
