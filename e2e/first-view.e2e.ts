import type { Route } from '@playwright/test'
import { openHydrated, waitForHydration } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'

test.use({ hasPictures: true })

/** Scripts that only signed-in people or admins need. */
const LATER = /supabase|admin|react-query|gotrue|postgrest/i
const LURE = '/products/chisel-nose-popper-150'
/** A page that takes longer fetches its scripts while it loads (server/pages/defer-hydration.ts). */
const HYDRATES_AFTER_MS = 8_000

test.describe('with scripts', () => {
  // Each view must be a first one, without scripts from a service worker's cache.
  test.use({ serviceWorkers: 'block' })

  test('the first view loads few scripts, and only after the visible content or the first touch', async ({
    page,
  }) => {
    for (const path of ['/', '/products', LURE]) {
      await test.step(`the first view of ${path} loads neither the backend's client nor admin code`, async () => {
        // The page before could still load a script, whose body would be gone.
        await page.goto('about:blank')
        const scripts: { url: string; body: Promise<string> }[] = []
        page.on('response', (response) => {
          if (response.request().resourceType() === 'script') {
            scripts.push({ url: response.url(), body: response.text() })
          }
        })

        await openHydrated(page, path)
        await page.waitForLoadState('networkidle')

        expect(scripts.length).toBeGreaterThan(0)
        for (const { url, body } of scripts) {
          expect(url).not.toMatch(LATER)
          expect(await body, url).not.toMatch(/GoTrueClient|PostgrestClient|Revenue Breakdown/)
        }
        page.removeAllListeners('response')
      })

      await test.step(`no script of ${path} is fetched before the visible content has loaded`, async () => {
        await waitForHydration(page)

        const { seen, firstScript } = await page.evaluate(() => ({
          seen: Math.max(
            ...performance.getEntriesByType('navigation').map((entry) => entry.toJSON().loadEventStart),
          ),
          firstScript: Math.min(
            ...performance
              .getEntriesByType('resource')
              .filter(({ name }) => name.endsWith('.js'))
              .map(({ startTime }) => startTime),
          ),
        }))
        expect(firstScript).toBeGreaterThan(Math.min(seen, HYDRATES_AFTER_MS))
      })
    }

    await test.step('a touch before the largest picture has loaded fetches the scripts at once', async () => {
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
      const holdBack = async (route: Route) => {
        await isOver
        await route.continue()
      }
      await intercept(page, '**/render/image/**', holdBack, { times: 1 })
      await page.goto(`${LURE}/blue-reaper`, { waitUntil: 'commit' })

      await page.getByRole('button', { name: 'With Hooks' }).click()
      await page
        .getByRole('button', { name: /^Add to Cart/ })
        .first()
        .click()

      await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
      end()
    })
  })
})
