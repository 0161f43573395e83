/**
 * How long does a sign-in take while one address keeps 24 of the heaviest anonymous calls in flight? Without those calls, and with
 * them; the heavy callers and the customer come from two addresses. `node bench/heavy-callers.bench.ts` measures the built shop; given
 * `<address> <publishable key>` of other shops that trust one proxy, it measures them in the same run, in turns.
 *
 * Last results, in one run on two otherwise idle cores: median 45 ms, longest 72 ms (a sign-in alone 37 ms). A build without the limits of
 * decision 0031 gave 3836 ms and 5744 ms beside it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startShop } from '#test/running-shop.ts'
import { isMainModule, median, type BenchResult, runBench } from './result.ts'

const HEAVY_CALLS = 24
const SIGN_INS = 15
const BUDGET_MS = 300
const PASSWORD = 'Correct-Horse-7'

interface Measured {
  name: string
  url: string
  key: string
}

const longTerm = (letters: number) => JSON.stringify({ term: 'a'.repeat(letters) })
const manyPatterns = Array.from({ length: 600 }, (_, at) => `description.ilike.*${at}*a*b*c*d*`).join()

/** A very long search term, the maximum number of patterns in a URL, and the largest read. */
const HEAVY: [path: string, body: string | null][] = [
  ['rpc/suggest_products', longTerm(910_000)],
  ['rpc/suggest_products', longTerm(60_000)],
  [`products?select=name&or=(${manyPatterns})`, null],
  ['products?select=*,product_variants(*)&order=description', null],
]

export async function measureHeavyCallers(others: Measured[] = []): Promise<BenchResult[]> {
  const shop = await startShop({ TRUST_PROXY: 'true' })
  try {
    const { publishable } = await shop.keys()
    const all = [...others, { name: 'this shop', url: shop.url, key: publishable }]
    const rows: BenchResult[] = []
    // oxlint-disable-next-line no-await-in-loop -- measured at once they would slow each other down
    for (const each of all) rows.push(await measure(each))
    return rows
  } finally {
    await shop.stop()
  }
}

async function measure(shop: Measured): Promise<BenchResult> {
  const email = `customer-${crypto.randomUUID()}@example.com`
  await account(shop, 'signup', email)
  await timeSignIns(shop, email)
  const alone = await timeSignIns(shop, email)

  const ending = new AbortController()
  const callers = Array.from({ length: HEAVY_CALLS }, (_, at) => callRepeatedly(shop, at, ending.signal))
  await pause(1000)
  const comparison = await timeSignIns(shop, email)
  ending.abort()
  await Promise.all(callers)
  return {
    question: `Sign-in beside ${HEAVY_CALLS} heavy anonymous calls`,
    load: shop.name,
    result: `median ${Math.round(median(comparison))} ms, longest ${Math.round(Math.max(...comparison))} ms`,
    comparison: `at most ${BUDGET_MS} ms; alone ${Math.round(median(alone))} ms`,
    isMet: median(comparison) < BUDGET_MS,
  }
}

async function timeSignIns(shop: Measured, email: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < SIGN_INS; round += 1) {
    const start = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one customer after the other
    await account(shop, 'token?grant_type=password', email)
    times.push(performance.now() - start)
  }
  return times
}

async function account({ url, key }: Measured, path: string, email: string): Promise<void> {
  const answer = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey: key, 'X-Forwarded-For': '192.0.2.1' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Sends one call after the other and ignores the responses. */
async function callRepeatedly({ url, key }: Measured, at: number, ending: AbortSignal): Promise<void> {
  const headers = { apikey: key, 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.1' }
  for (let round = at; !ending.aborted; round += 1) {
    const [path, body] = HEAVY[round % HEAVY.length] ?? HEAVY[0] ?? ['', null]
    // oxlint-disable-next-line no-await-in-loop -- as many in flight as there are callers, and no more
    await fetch(`${url}/rest/v1/${path}`, { method: body === null ? 'GET' : 'POST', headers, body })
      .then((answer) => answer.arrayBuffer())
      // The shop may close the connection early.
      .catch(() => null)
  }
}

if (isMainModule(import.meta.url)) {
  const [url, key] = process.argv.slice(2)
  await runBench(() => measureHeavyCallers(url && key ? [{ name: url, url, key }] : []))
}
