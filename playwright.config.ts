import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { findBrowser } from './scripts/browser.mjs'
import { useMemoryFolder } from '@saltfreak/backend/testing'

useMemoryFolder()

/** Journeys through the real process, one to each worker (e2e/shop.ts). */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: join(import.meta.dirname, 'e2e', 'prepare-shop.ts'),
  testMatch: '*.e2e.ts',
  fullyParallel: true,
  // They wait for each other's answers: a third worker uses that time, 346 instead of 433 seconds on two cores.
  workers: 3,
  // Machines are shared: what is slow there is not wrong.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // Here and not on the command line, whose filters do not reach projects that others depend on.
  grepInvert: process.env.TEST_RUN === 'long' ? [] : /@long/,
  reporter: 'list',
  use: {
    locale: 'en-ZA',
    timezoneId: 'Africa/Johannesburg',
    // Two cores draw film and glides without a graphics card: only journeys about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // In each new context the worker would fetch the catalogue, and every page once more: a journey that needs it allows it.
    serviceWorkers: 'block',
    // A trace of every journey costs a quarter of the time: `--trace on` where one is wanted.
    screenshot: 'only-on-failure',
    launchOptions: {
      // Optimizing code that runs for seconds costs more than it saves: 12 % of the pages' processor time. A larger young generation is
      // collected less often: 3 %.
      args: ['--js-flags=--no-maglev --no-opt --single-threaded --min-semi-space-size=16'],
      executablePath: findBrowser(),
      // Chromium's own sandbox does not work as root, where containers run their tests.
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
  projects: [
    // First: one of its journeys would otherwise be the last, with two workers idle.
    { name: 'process', testMatch: 'process/**/*.e2e.ts' },
    {
      name: 'desktop',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
      testIgnore: 'process/**',
    },
  ],
})
