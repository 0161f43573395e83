import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'
import { firefox } from './firefox.ts'
import { webkit } from './webkit.ts'
import base from '../../playwright.config.ts'

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

for (const engine of [firefox, webkit]) {
  const missing = engine.missing()
  if (!missing) continue
  if (process.env.CI) throw new Error(`The journeys need ${missing}.`)
  console.warn(`SKIPPED: this machine lacks ${missing}. No journey runs in ${engine.name}.`)
}

/** The journeys in the other engines, except for those in limits.ts: `npm run e2e:engines -- --project=firefox e2e/cart.e2e.ts`. */
export default defineConfig({
  ...base,
  testDir: '..',
  testIgnore: 'process/**',
  reporter: [['list'], ['./count-journeys.ts']],
  projects: [
    {
      name: 'firefox',
      // A run deletes those of its engines only.
      outputDir: '../../test-results/firefox',
      use: {
        ...devices['Desktop Firefox'],
        viewport: { width: 1440, height: 900 },
        channel: 'moz-firefox',
        // Replaces the options of the base: `launchOptions` are merged key by key.
        launchOptions: {
          executablePath: program('firefox-for-playwright.ts'),
          firefoxUserPrefs: {
            'ui.prefersReducedMotion': 1,
            'dom.events.testing.asyncClipboard': true,
            // As Playwright starts Chromium: scrollbars take no space, and Back loads pages anew. The short walks have scrollbars.
            'ui.useOverlayScrollbars': 1,
            'browser.sessionhistory.max_total_viewers': 0,
            // It would open over the page and take its focus.
            'browser.download.alwaysOpenPanel': false,
            // Its getters, such as `ariaLabelledByElements`, crash the tab. Axe and Playwright call them where they exist.
            'accessibility.ARIAElementReflection.enabled': false,
          },
        },
      },
    },
    {
      name: 'webkit',
      outputDir: '../../test-results/webkit',
      use: {
        ...devices['Desktop Safari'],
        viewport: { width: 1440, height: 900 },
        deviceScaleFactor: 1,
        launchOptions: {
          executablePath: program('webkit-for-playwright.ts'),
          // Its processes have one time zone and one language.
          env: { ...process.env, TZ: 'Africa/Johannesburg', LANG: 'en_ZA.UTF-8', LANGUAGE: 'en_ZA:en' },
        },
      },
    },
  ].filter(({ name }) => !(name === 'firefox' ? firefox : webkit).missing()),
})
