import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Time from each touch to the next frame. */
    touchMs?: number[]
  }
}

/** Runs in the page before its scripts: records events that take longer than a frame, as INP does. */
export function recordTouches(): void {
  window.touchMs = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('interactionId' in entry && entry.interactionId) window.touchMs?.push(entry.duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

/** Returns the INP in ms of a visit with the single interaction `touch`. Browsers report interactions from 16 ms; faster ones count as 16. */
export async function inpOf(page: Page, touch: () => Promise<void>): Promise<number> {
  await page.evaluate(() => (window.touchMs = []))
  await touch()
  // The browser reports an event after the next frame.
  await page.evaluate(() => new Promise((settle) => requestAnimationFrame(() => setTimeout(settle, 200))))
  const times = await page.evaluate(() => window.touchMs ?? [])
  return Math.max(16, ...times)
}
