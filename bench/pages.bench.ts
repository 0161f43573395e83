/**
 * How many pages a second does the shop send, and how soon does the first byte leave, beside a bare Node server that is started like it and
 * sends the same bytes? Both on the first core, autocannon with 16 connections on the other. Pages are counted for each second that the
 * server itself spent on the core, because other work on the machine takes its part of the clock's seconds.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { RunningShop } from '#test/running-shop.ts'
import { nodeFlags } from '../scripts/prepare.mjs'
import { isRunByItself, median, type Row, runAlone } from './row.ts'
import { fireAt, installTools, openPinnedShop, pinTo } from './measured-shop.ts'

const PATHS = ['/', '/products', '/products/chisel-nose-popper-150']
const AT_LEAST = 0.6
const ROUNDS = 3

export async function measurePages(): Promise<Row[]> {
  installTools()
  const shop = await openPinnedShop()
  try {
    const rows: Row[] = []
    for (const path of PATHS) rows.push(...(await measurePage(shop, path)))
    return rows
  } finally {
    await shop.stop()
  }
}

async function measurePage(shop: RunningShop, path: string): Promise<Row[]> {
  const kept = { url: shop.url + path, pid: shop.process.pid }
  const firstMs = await timeToFirstByte(kept.url)
  await fireAt(kept, { seconds: 2 })
  const bare = await openBareServer(kept.url)
  const limit = { url: bare.url, pid: bare.process.pid }
  // Turn and turn about, so that what else the machine does falls on both.
  const runs = { kept: [] as number[], limit: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.limit.push((await fireAt(limit)).perCpuSecond)
    runs.kept.push((await fireAt(kept)).perCpuSecond)
  }
  const keptMs = await timeToFirstByte(kept.url)
  const bareMs = await timeToFirstByte(bare.url)
  bare.process.kill()
  const [ours, theirs] = [median(runs.kept), median(runs.limit)]
  return [
    {
      question: `Pages per second of the core, ${path}`,
      load: `16 connections, median of ${ROUNDS} × 5 s`,
      result: `${Math.round(ours)}/s`,
      beside: `${Math.round((100 * ours) / theirs)} % of a bare server (${Math.round(theirs)}/s); at least ${AT_LEAST * 100} %`,
      isReached: ours >= theirs * AT_LEAST,
    },
    {
      question: `Time to first byte, ${path}`,
      load: 'one at a time, median of 50',
      result: `${keptMs.toFixed(2)} ms kept, ${firstMs.toFixed(2)} ms at first`,
      beside: `${bareMs.toFixed(2)} ms bare`,
      isReached: true,
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
  return times.toSorted((one, other) => one - other)[25] ?? Number.NaN
}

async function openBareServer(url: string): Promise<{ url: string; process: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), [url], { execArgv: nodeFlags })
  const [address]: AddressInfo[] = await once(child, 'message')
  pinTo('0', child.pid)
  return { url: `http://127.0.0.1:${address?.port}/`, process: child }
}

if (isRunByItself(import.meta.url)) await runAlone(measurePages)
