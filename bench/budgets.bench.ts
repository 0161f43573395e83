/** What does a first view cost on a phone, and what does Lighthouse say of it? Fails over budget. */
import { chromium } from '@playwright/test'
import { findBrowser } from '../scripts/browser.mjs'
import { type Budget, BUDGETS, measureFirstView, overBudget, PHONE } from './first-view.ts'
import { isRunByItself, median, type Row, runAlone } from './row.ts'
import { installTools, openPinnedShop, runTool } from './measured-shop.ts'

const RUNS = 5
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }

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
  const scores = Object.fromEntries(
    Object.keys(SCORES).map((name) => [
      name,
      median(reports.map(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100))),
    ]),
  )
  const audit = (name: string) => median(reports.map(({ audits }) => audits[name]?.numericValue ?? 0))
  return {
    question: `Lighthouse mobile, ${path}`,
    load: `simulated slow 4G, median of ${RUNS}`,
    result: `${Object.values(scores).join(' / ')}; LCP ${(audit('largest-contentful-paint') / 1000).toFixed(1)} s, TBT ${Math.round(audit('total-blocking-time'))} ms`,
    beside: `at least ${Object.values(SCORES).join(' / ')}`,
    isReached: Object.entries(SCORES).every(([name, atLeast]) => (scores[name] ?? 0) >= atLeast),
  }
}

interface Report {
  categories: Record<string, { score: number | null } | undefined>
  audits: Record<string, { numericValue?: number } | undefined>
}

async function lighthouse(url: string): Promise<Report> {
  const flags = ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const args = [url, '--output=json', '--quiet', `--chrome-flags=${flags.join(' ')}`]
  return JSON.parse(await runTool('lighthouse', args, { CHROME_PATH: findBrowser() }))
}

function kB(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`
}

if (isRunByItself(import.meta.url)) await runAlone(measureBudgets)
