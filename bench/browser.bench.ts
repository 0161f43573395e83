/**
 * How soon does a slow phone answer a touch, and how soon does it show and obey a page over a slow line? A processor slowed
 * four times; for the loading also 1.6 Mbit/s with 150 ms, in the browser itself and not simulated.
 */
import { type Browser, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../scripts/browser.mjs'
import { PHONE } from './first-view.ts'
import { inpOf, recordTouches } from './inp.ts'
import { openPinnedShop } from './measured-shop.ts'
import { isRunByItself, median, type Row, runAlone } from './row.ts'

const LURE = '/products/chisel-nose-popper-150/blue-reaper'
const LOADED = ['/', '/products', '/products/chisel-nose-popper-150']
const RUNS = 5
const ADDING_AT_MOST_MS = 100
const INP_AT_MOST_MS = 200
const LCP_AT_MOST_MS = 2500
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 750e3 / 8,
}

export async function measureBrowser(): Promise<Row[]> {
  const shop = await openPinnedShop()
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
  })
  try {
    const rows = await touchRows(browser, shop.url)
    for (const path of LOADED) rows.push(await loadRow(browser, shop.url + path, path))
    return rows
  } finally {
    await browser.close()
    await shop.stop()
  }
}

async function openSlowPhone(browser: Browser): Promise<Page> {
  // Without the film, which comes after everything else, and without the question about cookies, which might stand in the way.
  const context = await browser.newContext({ ...PHONE, hasTouch: true, reducedMotion: 'reduce' })
  await context.addInitScript(() => {
    localStorage.setItem('cookie_consent', '{"hasResponded":true,"cookiesAccepted":false}')
    sessionStorage.setItem('discount_popup_shown', 'true')
  })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return page
}

async function touchRows(browser: Browser, url: string): Promise<Row[]> {
  const adding: number[] = []
  const opening: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const page = await openSlowPhone(browser)
    await page.addInitScript(recordTouches)
    await page.goto(url + LURE, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'With Hooks' }).tap()
    const add = page.getByRole('button', { name: /^Add to Cart/ }).first()
    adding.push(
      await inpOf(page, async () => {
        await add.tap()
        await page.getByText('Added to cart', { exact: true }).waitFor()
      }),
    )
    opening.push(
      await inpOf(page, async () => {
        await page.getByRole('button', { name: /^Cart, / }).tap()
        await page.getByRole('dialog').waitFor()
      }),
    )
    await page.context().close()
  }
  return [
    touchRow('INP of adding to the cart', adding, ADDING_AT_MOST_MS),
    touchRow('INP of opening the cart', opening, INP_AT_MOST_MS),
  ]
}

function touchRow(question: string, times: number[], atMost: number): Row {
  return {
    question,
    load: `processor slowed 4 times, median of ${RUNS}`,
    result: `${Math.round(median(times))} ms, at worst ${Math.round(Math.max(...times))} ms`,
    beside: `at most ${atMost} ms`,
    isReached: median(times) <= atMost,
  }
}

async function loadRow(browser: Browser, url: string, path: string): Promise<Row> {
  const seen: { fcp: number; lcp: number; alive: number; shift: number }[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const page = await openSlowPhone(browser)
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Network.enable')
    await devTools.send('Network.emulateNetworkConditions', SLOW_4G)
    await page.addInitScript(recordLoading)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() => (window.loading?.alive ?? 0) > 0, null, { timeout: 60_000 })
    await page.waitForLoadState('networkidle')
    seen.push(
      await page.evaluate(() => ({
        fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        lcp: window.loading?.lcp ?? Number.NaN,
        alive: window.loading?.alive ?? Number.NaN,
        shift: window.loading?.shift ?? Number.NaN,
      })),
    )
    await page.context().close()
  }
  const of = (name: 'fcp' | 'lcp' | 'alive') => median(seen.map((each) => each[name]))
  // The third quarter of five: what S53 is judged by.
  const lcp75 = seen.map((each) => each.lcp).toSorted((one, other) => one - other)[3] ?? Number.NaN
  return {
    question: `Slow phone, slow line, ${path}`,
    load: `1.6 Mbit/s, 150 ms, processor slowed 4 times, ${RUNS} visits`,
    result: `first paint ${seconds(of('fcp'))} s, largest ${seconds(of('lcp'))} s (p75 ${seconds(lcp75)} s), alive ${seconds(of('alive'))} s, shift ${Math.max(...seen.map(({ shift }) => shift)).toFixed(3)}`,
    beside: `largest at most ${seconds(LCP_AT_MOST_MS)} s`,
    isReached: lcp75 <= LCP_AT_MOST_MS,
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}

declare global {
  interface Window {
    loading?: { lcp: number; alive: number; shift: number }
  }
}

/** Runs in the page, before it. A page is alive when it has taken over what was tapped early. */
function recordLoading(): void {
  const loading = { lcp: 0, alive: 0, shift: 0 }
  window.loading = loading
  new PerformanceObserver((list) => {
    loading.lcp = list.getEntries().at(-1)?.startTime ?? loading.lcp
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry) loading.shift += Number(entry.value)
  }).observe({ type: 'layout-shift', buffered: true })
  const look = setInterval(() => {
    if (document.readyState === 'loading' || 'replayEarlyTaps' in window) return
    loading.alive = performance.now()
    clearInterval(look)
  }, 10)
}

if (isRunByItself(import.meta.url)) await runAlone(measureBrowser)
