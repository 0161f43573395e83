/**
 * Measures Lighthouse's scores on a phone. The browser uses both cores, because its threads would otherwise block each other; the
 * shop has no other load. `e2e/budgets.e2e.ts` checks bytes and requests of the same pages.
 */
import { findBrowser } from '../scripts/browser.mjs'
import { median, type BenchResult } from './result.ts'
import { installTools, openPinnedShop, runTool } from './measured-shop.ts'

const PATHS = ['/', '/products', '/products/chisel-nose-popper-150', '/faq']
const RUNS = 5
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
/** Pages that show products have a higher target. */
const PRODUCT_PAGE_SCORES = { ...SCORES, performance: 98 }
const LCP_AT_MOST_MS = 1800
const TBT_AT_MOST_MS = 100
const SHIFT_AT_MOST = 0.02
/** Retries, because Chromium sometimes records nothing. */
const TRIES = 3

export async function measureLighthouse(): Promise<BenchResult[]> {
  installTools()
  const shop = await openPinnedShop()
  try {
    const rows: BenchResult[] = []
    for (const path of PATHS) {
      // A warm-up run: the first request renders the pictures.
      await lighthouse(shop.url + path)
      rows.push(await lighthouseRow(shop.url, path))
    }
    return rows
  } finally {
    await shop.stop()
  }
}

async function lighthouseRow(url: string, path: string): Promise<BenchResult> {
  const reports: Report[] = []
  for (let run = 0; run < RUNS; run += 1) reports.push(await lighthouse(url + path))
  const wanted = path === '/faq' ? SCORES : PRODUCT_PAGE_SCORES
  const scores = Object.fromEntries(
    Object.keys(wanted).map((name) => [
      name,
      median(reports.map(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100))),
    ]),
  )
  const audit = (name: string) => median(reports.map(({ audits }) => audits[name]?.numericValue ?? 0))
  const lcpMs = audit('largest-contentful-paint')
  const tbtMs = audit('total-blocking-time')
  const shift = audit('cumulative-layout-shift')
  return {
    question: `Lighthouse mobile, ${path}`,
    load: `simulated slow 4G, median of ${RUNS}`,
    result: `${Object.values(scores).join(' / ')}; LCP ${(lcpMs / 1000).toFixed(1)} s, TBT ${Math.round(tbtMs)} ms, shift ${shift.toFixed(3)}`,
    comparison: `at least ${Object.values(wanted).join(' / ')}; at most ${LCP_AT_MOST_MS / 1000} s, ${TBT_AT_MOST_MS} ms, ${SHIFT_AT_MOST}`,
    isMet:
      Object.entries(wanted).every(([name, atLeast]) => (scores[name] ?? 0) >= atLeast) &&
      lcpMs <= LCP_AT_MOST_MS &&
      tbtMs <= TBT_AT_MOST_MS &&
      shift <= SHIFT_AT_MOST,
  }
}

interface Report {
  categories: Record<string, { score: number | null } | undefined>
  audits: Record<string, { numericValue?: number } | undefined>
}

async function lighthouse(url: string, triesLeft = TRIES): Promise<Report> {
  const flags = ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const args = [url, '--output=json', '--quiet', `--chrome-flags=${flags.join(' ')}`]
  const report = await runTool('lighthouse', args, {
    env: { CHROME_PATH: findBrowser() },
    cores: '0,1',
  }).then(
    (json): Report => JSON.parse(json),
    () => null,
  )
  if (report && report.categories.performance?.score != null) return report
  if (triesLeft === 1) throw new Error(`Lighthouse returned no score for ${url}`)
  return lighthouse(url, triesLeft - 1)
}
