import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** How long each touch took until the next picture stood on the screen. */
    touchMs?: number[]
  }
}

/** Runs in the page, before it: every event that took longer than a frame, as the browser's own measure of responsiveness has them. */
export function recordTouches(): void {
  window.touchMs = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('interactionId' in entry && entry.interactionId) window.touchMs?.push(entry.duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

/** The longest event of what `touch` does: INP of a visit with this one interaction. At most 16 ms is told as 16. */
export async function inpOf(page: Page, touch: () => Promise<void>): Promise<number> {
  await page.evaluate(() => (window.touchMs = []))
  await touch()
  // The browser tells of an event after the frame that followed it.
  await page.evaluate(() => new Promise((settle) => requestAnimationFrame(() => setTimeout(settle, 200))))
  const times = await page.evaluate(() => window.touchMs ?? [])
  return Math.max(16, ...times)
}
