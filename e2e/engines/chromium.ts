import { chromium as playwright } from '@playwright/test'
import { findBrowser } from '../../scripts/browser.mjs'
import { type Engine, type EngineStarter, keyActions } from './engine.ts'

const KEY_NAMES: Record<string, string> = { '\uE00C': 'Escape', '\uE009': 'Control' }

export const chromium: EngineStarter = {
  name: 'chromium',
  missing: () => (findBrowser() ? null : 'Chromium'),
  async start(): Promise<Engine> {
    const browser = await playwright.launch({
      executablePath: findBrowser(),
      chromiumSandbox: process.getuid?.() !== 0,
    })
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', ({ message }) => errors.push(message))
    return {
      name: 'chromium',
      version: browser.version(),
      resize: (width, height) => page.setViewportSize({ width, height }),
      navigate: async (url) => void (await page.goto(url)),
      evaluate: (expression) => page.evaluate(expression),
      clickAt: (x, y) => page.mouse.click(x, y),
      async typeKeys(text) {
        for (const { type, value } of keyActions(text)) {
          const key = KEY_NAMES[value] ?? value
          await (type === 'keyDown' ? page.keyboard.down(key) : page.keyboard.up(key))
        }
      },
      screenshot: () => page.screenshot(),
      consoleErrors: () => errors,
      close: () => browser.close(),
    }
  },
}
