import type { Route } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'

/** What only signed-in people, and admins, need. */
const LATER = /supabase|admin|react-query|gotrue|postgrest/i

for (const path of ['/', '/products', '/products/chisel-nose-popper-150']) {
  test(`the first view of ${path} brings neither the backend's client nor admin code`, async ({ page }) => {
    const scripts: { url: string; body: Promise<string> }[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') {
        scripts.push({ url: response.url(), body: response.text() })
      }
    })

    await page.goto(path, { waitUntil: 'networkidle' })

    expect(scripts.length).toBeGreaterThan(0)
    for (const { url, body } of scripts) {
      expect(url).not.toMatch(LATER)
      expect(await body, url).not.toMatch(/GoTrueClient|PostgrestClient|Revenue Breakdown/)
    }
  })
}

test('a page is complete without scripts', async ({ browser, shop }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()

  await page.goto(`${shop.url}/products/chisel-nose-popper-150`)

  await expect(page.getByRole('heading', { level: 1 })).toContainText('Chisel Nose Popper 150mm/30G')
  await expect(page.getByRole('main')).toContainText('R110')
})

test('without scripts no form is offered that could not be sent, and another way is named', async ({
  browser,
  shop,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()

  for (const path of ['/auth', '/auth/forgot-password', '/contact', '/gallery']) {
    await page.goto(shop.url + path)

    // The page's own and the newsletter's, which stands in every footer.
    const words = page.locator('form > noscript:visible')
    await expect(words).toHaveCount(2)
    for (const text of await words.allTextContents()) expect(text).toContain('This form needs JavaScript')
    await expect(page.locator('[data-by-script] :is(input, textarea, button):visible')).toHaveCount(0)
    const forms = page.locator('form:not([action])')
    for (const form of await forms.all()) await expect(form).toHaveAttribute('method', 'post')
  }
  for (const path of ['/checkout', '/account']) {
    await page.goto(shop.url + path)
    expect(await page.locator('main noscript:visible').textContent()).toContain('needs JavaScript')
  }
})

test('no script is fetched before everything that is seen has come', async ({ page, shop }) => {
  await page.goto(`${shop.url}/products`)
  await expect.poll(() => page.evaluate(() => 'replayEarlyTaps' in window)).toBe(false)

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
  expect(firstScript).toBeGreaterThan(seen)
})

test('whoever touches the page before its largest picture is there gets the scripts at once', async ({
  page,
}) => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const holdBack = async (route: Route) => {
    await isOver
    await route.continue()
  }
  await page.route('**/render/image/**', holdBack, { times: 1 })
  await page.goto('/products/chisel-nose-popper-150/blue-reaper', { waitUntil: 'commit' })

  await page.getByRole('button', { name: 'With Hooks' }).click()
  await page
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click()

  await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
  end()
})
