import { putInCart } from '#test/shopping.ts'
import { BUDGETS, measureFirstView, overBudget, PHONE } from './fixtures/first-view.ts'
import { signUpCustomer, type Customer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import type { OpenShop } from './shop.ts'

test.use({ hasPictures: true, contextOptions: { reducedMotion: 'no-preference' } })

test('first page views stay within the loading budgets on a phone', async ({ browser, shop }) => {
  await test.step('a phone fetches a hero video of at most 250 kB after the page has loaded', async () => {
    const context = await browser.newContext(PHONE)
    const page = await context.newPage()
    const film = page.waitForRequest((request) => request.resourceType() === 'media')
    await page.goto(shop.url)
    const address = (await film).url()

    const requestedAfterLoad = await page.evaluate((url) => {
      const [visit] = performance.getEntriesByType('navigation')
      const requested = performance.getEntriesByName(url)[0]
      // The browser adds the entry of a film only when it has loaded.
      return !requested || requested.startTime > (visit?.toJSON().loadEventEnd ?? Infinity)
    }, address)
    const { length } = await (await context.request.get(address)).body()
    expect.soft(address).toContain('hero-ocean-phone')
    expect.soft(requestedAfterLoad).toBe(true)
    expect.soft(length).toBeLessThanOrEqual(250_000)

    // The first visit waits until the shop has rendered the pictures in this phone's sizes, and the slides move on meanwhile.
    await page.waitForLoadState('networkidle')
    await context.close()
  })

  for (const budget of BUDGETS) {
    // covers S53 S54 S55
    await test.step(`the first view of ${budget.path} stays within the budget on a phone`, async () => {
      const context = await browser.newContext(PHONE)
      const view = await measureFirstView(await context.newPage(), shop.url + budget.path)
      await context.close()
      expect.soft(overBudget(view, budget), view.heaviest.join('\n')).toEqual([])
    })
  }

  // covers S54
  await test.step('the first view of /checkout stays within the budget on a phone', async () => {
    const buyer = await signUpCustomer(shop)
    await putInCart(buyer)
    const context = await browser.newContext({ ...PHONE, storageState: await signedIn(shop, buyer) })
    const page = await context.newPage()
    const view = await measureFirstView(page, `${shop.url}/checkout`)
    await expect(page.getByRole('button', { name: /^Place Order/ })).toBeVisible()
    await context.close()

    // The budget includes the backend's client, because this page requires a sign-in.
    const budget = { path: '/checkout', bytes: 250_000, scriptBytes: 250_000, requests: 70, shift: 0.02 }
    expect.soft(overBudget(view, budget), view.heaviest.join('\n')).toEqual([])
  })
})

async function signedIn(shop: OpenShop, { client }: Customer) {
  const { data } = await client.auth.getSession()
  return {
    cookies: [],
    origins: [
      {
        origin: shop.url,
        localStorage: [
          { name: 'sb-localhost-auth-token', value: JSON.stringify(data.session) },
          // A customer at the checkout has answered the cookie banner.
          { name: 'cookie_consent', value: '{"hasResponded":true,"cookiesAccepted":false}' },
        ],
      },
    ],
  }
}
