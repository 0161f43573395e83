/** Measures the time to the first page of a first and a later start, and the memory. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@saltfreak/backend/testing'
import { type RunningShop } from '#test/running-shop.ts'
import type { BenchResult } from './result.ts'
import { loadTest, installTools, openPinnedShop } from './measured-shop.ts'

const LATER_WITHIN_S = 2
const IDLE_AT_MOST_MB = 200

export async function measureStart(): Promise<BenchResult[]> {
  installTools()
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-bench-'))
  try {
    const first = await timeStart(dataDir)
    await first.shop.stop()
    const later = await timeStart(dataDir)
    const idleMb = await memoryOf(later.shop)
    const { shop } = later
    await loadTest({ url: `${shop.url}/products?q=popper`, pid: shop.process.pid }, { seconds: 10 })
    const busyMb = await memoryOf(later.shop)
    await later.shop.stop()
    return [
      row('Clean first start to the first page', 'empty data folder', { result: seconds(first.seconds) }),
      row('Later start to the first page', 'existing database', {
        result: seconds(later.seconds),
        comparison: `at most ${LATER_WITHIN_S} s`,
        isMet: later.seconds <= LATER_WITHIN_S,
      }),
      row('Memory of the Node process, idle', 'after one page', {
        result: `${idleMb} MB`,
        comparison: `at most ${IDLE_AT_MOST_MB} MB`,
        isMet: idleMb <= IDLE_AT_MOST_MB,
      }),
      row('Memory of the Node process, after load', '10 s of searches, 16 connections', {
        result: `${busyMb} MB`,
      }),
    ]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function row(question: string, load: string, rest: Partial<BenchResult> & { result: string }): BenchResult {
  return { question, load, comparison: '', isMet: true, ...rest }
}

/** Returns the seconds from `node server.ts` to the first complete page. */
export async function timeStart(dataDir: string): Promise<{ shop: RunningShop; seconds: number }> {
  const port = String(await freePort())
  const start = performance.now()
  const shop = await openPinnedShop({ DATA_DIR: dataDir, PORT: port })
  const { status } = await fetch(shop.url)
  if (status !== 200) throw new Error(`The first page failed with ${status}`)
  return { shop, seconds: (performance.now() - start) / 1000 }
}

export async function memoryOf({ process: shop }: RunningShop): Promise<number> {
  const status = await readFile(`/proc/${shop.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`
}
