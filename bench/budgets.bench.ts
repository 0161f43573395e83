/**
 * What does a first view cost on a phone, and what does Lighthouse say of it? Fails over budget. The browser has both cores,
 * because its own threads would otherwise stand in each other's way; the shop is idle but for it.
 */
import { chromium } from '@playwright/test'
import { findBrowser } from '../scripts/browser.mjs'
import { type Budget, BUDGETS, measureFirstView, overBudget, PHONE } from './first-view.ts'
import { isRunByItself, median, type Row, runAlone } from './row.ts'
import { installTools, openPinnedShop, runTool } from './measured-shop.ts'

const RUNS = 5
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
/** Where lures are looked at, more is wanted. */
const SHOWING_LURES = { ...SCORES, performance: 98 }
const LCP_AT_MOST_MS = 1800
const TBT_AT_MOST_MS = 100
const SHIFT_AT_MOST = 0.02
/** Chromium sometimes records nothing; a run that failed is made again. */
const TRIES = 3

export async function measureBudgets(): Promise<Row[]> {
  installTools()
  const shop = await openPinnedShop()
  try {
    const rows: Row[] = []
    for (const budget of BUDGETS) {
      // Once before it counts: the pictures are made for the first who asks.
      await firstViewRow(shop.url, budget)
      rows.push(await firstViewRow(shop.url, budget))
      rows.push(await lighthouseRow(shop.url, budget.path))
    }
    return rows
  } finally {
    await shop.stop()
  }
}

async function firstViewRow(url: string, budget: Budget): Promise<Row> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
  })
  try {
    const page = await (await browser.newContext(PHONE)).newPage()
    const view = await measureFirstView(page, url + budget.path)
    return {
      question: `First view, ${budget.path}`,
      load: 'phone 412 × 823, nothing kept',
      result: `${kB(view.scriptBytes)} scripts, ${kB(view.bytes)} in all, ${view.requests} requests, shift ${view.shift.toFixed(3)}`,
      beside: `at most ${kB(budget.scriptBytes)}, ${kB(budget.bytes)}, ${budget.requests}, ${budget.shift}`,
      isReached: overBudget(view, budget).length === 0,
    }
  } finally {
    await browser.close()
  }
}

async function lighthouseRow(url: string, path: string): Promise<Row> {
  const reports: Report[] = []
  for (let run = 0; run < RUNS; run += 1) reports.push(await lighthouse(url + path))
  const wanted = path === '/faq' ? SCORES : SHOWING_LURES
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
    beside: `at least ${Object.values(wanted).join(' / ')}; at most ${LCP_AT_MOST_MS / 1000} s, ${TBT_AT_MOST_MS} ms, ${SHIFT_AT_MOST}`,
    isReached:
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
  if (triesLeft === 1) throw new Error(`Lighthouse says nothing of ${url}`)
  return lighthouse(url, triesLeft - 1)
}

function kB(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`
}

if (isRunByItself(import.meta.url)) await runAlone(measureBudgets)
