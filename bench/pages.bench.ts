/**
 * Measures pages per second and time to first byte, compared with a bare Node server that sends the same bytes. Both run on the
 * first core, autocannon with 16 connections on the other. Counts pages per second of the server's CPU time, because other load on
 * the machine distorts wall-clock time.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { RunningShop } from '#test/running-shop.ts'
import { nodeFlags } from '../scripts/prepare.mjs'
import { median, type BenchResult } from './result.ts'
import { loadTest, installTools, openPinnedShop, pinTo } from './measured-shop.ts'

const PATHS = ['/', '/products', '/products/chisel-nose-popper-150']
const MIN_SHARE = 0.6
const ROUNDS = 3

export async function measurePages(): Promise<BenchResult[]> {
  installTools()
  const shop = await openPinnedShop()
  try {
    const rows: BenchResult[] = []
    for (const path of PATHS) rows.push(...(await measurePage(shop, path)))
    return rows
  } finally {
    await shop.stop()
  }
}

async function measurePage(shop: RunningShop, path: string): Promise<BenchResult[]> {
  const cached = { url: shop.url + path, pid: shop.process.pid }
  const firstMs = await timeToFirstByte(cached.url)
  await loadTest(cached, { seconds: 2 })
  const bare = await openBareServer(cached.url)
  const limit = { url: bare.url, pid: bare.process.pid }
  // Alternates, so that other load on the machine affects both equally.
  const runs = { cached: [] as number[], limit: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.limit.push((await loadTest(limit)).perCpuSecond)
    runs.cached.push((await loadTest(cached)).perCpuSecond)
  }
  const cachedMs = await timeToFirstByte(cached.url)
  const bareMs = await timeToFirstByte(bare.url)
  bare.process.kill()
  const [ours, theirs] = [median(runs.cached), median(runs.limit)]
  return [
    {
      question: `Pages per second of the core, ${path}`,
      load: `16 connections, median of ${ROUNDS} × 5 s`,
      result: `${Math.round(ours)}/s`,
      comparison: `${Math.round((100 * ours) / theirs)} % of a bare server (${Math.round(theirs)}/s); at least ${MIN_SHARE * 100} %`,
      isMet: ours >= theirs * MIN_SHARE,
    },
    {
      question: `Time to first byte, ${path}`,
      load: 'one at a time, median of 50',
      result: `${cachedMs.toFixed(2)} ms cached, ${firstMs.toFixed(2)} ms first`,
      comparison: `${bareMs.toFixed(2)} ms bare`,
      isMet: true,
    },
  ]
}

async function timeToFirstByte(url: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 50; round += 1) {
    const start = performance.now()
    const answer = await fetch(url, { headers: { 'Accept-Encoding': 'br' } })
    times.push(performance.now() - start)
    await answer.arrayBuffer()
  }
  return median(times)
}

async function openBareServer(url: string): Promise<{ url: string; process: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), [url], { execArgv: nodeFlags })
  const [address]: AddressInfo[] = await once(child, 'message')
  pinTo('0', child.pid)
  return { url: `http://127.0.0.1:${address?.port}/`, process: child }
}
