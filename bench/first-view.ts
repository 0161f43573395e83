import type { Page } from '@playwright/test'

/** The cost of a page view with an empty cache. */
export interface FirstView {
  /** Transferred bytes, including headers; without films, which load on good connections only. */
  bytes: number
  scriptBytes: number
  requests: number
  /** Cumulative layout shift. */
  shift: number
  /** The largest responses, for finding the cause of an exceeded budget. */
  heaviest: string[]
}

export interface Budget {
  path: string
  bytes: number
  scriptBytes: number
  requests: number
  shift: number
}

const MEASURES = ['bytes', 'scriptBytes', 'requests', 'shift'] as const

const kB = 1000

/** A kilobyte is 1000 bytes, as in data bundles. */
export const BUDGETS: Budget[] = [
  { path: '/', bytes: 300 * kB, scriptBytes: 130 * kB, requests: 70, shift: 0.02 },
  { path: '/products', bytes: 300 * kB, scriptBytes: 130 * kB, requests: 70, shift: 0.02 },
  {
    path: '/products/chisel-nose-popper-150',
    bytes: 260 * kB,
    scriptBytes: 130 * kB,
    requests: 70,
    shift: 0.02,
  },
  { path: '/faq', bytes: 260 * kB, scriptBytes: 130 * kB, requests: 70, shift: 0.02 },
]

/** Lighthouse's default phone. */
const SCREEN = { width: 412, height: 823 }
export const PHONE = { screen: SCREEN, viewport: SCREEN, deviceScaleFactor: 1.75, isMobile: true }

declare global {
  interface Window {
    layoutShift?: number
  }
}

/** Opens the URL and measures until the network is idle. `page` must belong to a new browser context. */
export async function measureFirstView(page: Page, url: string): Promise<FirstView> {
  const view: FirstView = { bytes: 0, scriptBytes: 0, requests: 0, shift: 0, heaviest: [] }
  const session = await page.context().newCDPSession(page)
  const request = new Map<string, { kind: string; url: string }>()
  const weights: { address: string; bytes: number }[] = []
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    request.set(requestId, { kind: type, url: response.url }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { kind, url: address = '' } = request.get(requestId) ?? {}
    if (kind === 'Media') return
    weights.push({ address, bytes: encodedDataLength })
    view.requests += 1
    view.bytes += encodedDataLength
    if (kind === 'Script') view.scriptBytes += encodedDataLength
  })
  await page.addInitScript(countShift)

  await page.goto(url, { waitUntil: 'networkidle' })
  view.shift = await page.evaluate(() => window.layoutShift ?? 0)
  view.heaviest = weights
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, 8)
    .map(({ bytes, address }) => `${bytes} ${address}`)
  await session.detach()
  return view
}

/** Runs in the page before its scripts. */
function countShift(): void {
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) {
        window.layoutShift = (window.layoutShift ?? 0) + Number(entry.value)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Returns one line per exceeded budget. */
export function overBudget(view: FirstView, budget: Budget): string[] {
  const over = (name: (typeof MEASURES)[number]) => view[name] > budget[name]
  return MEASURES.filter(over).map((name) => `${budget.path}: ${name} ${view[name]} over ${budget[name]}`)
}
