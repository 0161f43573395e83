import type { Locator, Page } from '@playwright/test'
import { popper, putInCart } from '#test/shopping.ts'
import { PASSWORD } from './fixtures/angler.ts'
import { POPPER_150 } from '#test/product-names.ts'
import { signUpCustomer } from './fixtures/customer.ts'
import { expectNothingCovered, toasts } from './fixtures/geometry.ts'
import { expect, test } from './fixtures/journey.ts'

test.use({ hasPictures: true, serviceWorkers: 'allow' })

const POPPER = '/products/chisel-nose-popper-150'

/**
 * Waits until the service worker has cached a page and its scripts; styles are inline. The worker does so when the page is idle, so
 * the fake clock is advanced.
 */
async function expectCached(page: Page, path: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(1_000)
        return page.evaluate(async (wanted) => {
          if (!navigator.serviceWorker.controller) return false
          const cached = await caches.match(wanted)
          const scripts = (await cached?.text())?.match(/\/assets\/[\w.~-]+\.js/g) ?? []
          const known = await Promise.all(scripts.map((file) => caches.match(file, { ignoreVary: true })))
          return cached !== undefined && known.every(Boolean)
        }, path)
      },
      { timeout: 60_000 },
    )
    .toBe(true)
}

/** Waits for the picture, because one that is still loading when the connection is lost is not cached. */
async function expectPictureCached(picture: Locator): Promise<void> {
  await expect
    .poll(() =>
      picture.evaluate(async (image: HTMLImageElement) => {
        const cached = await caches.match(image.currentSrc, { ignoreVary: true })
        return image.complete && Boolean(cached)
      }),
    )
    .toBe(true)
}

test.beforeEach(({ page }) => page.clock.install())

test.describe('with the video', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test(
    'an offline visitor reads visited pages and sees a list of all pages that open',
    { tag: '@long' },
    async ({ page, context, angler }) => {
      await page.goto('/')
      await expect
        .poll(() => page.locator('video').evaluate((film: HTMLVideoElement) => film.readyState))
        .toBeGreaterThan(1)
      await expectCached(page, '/')
      await angler.choose({ lure: POPPER_150, colour: 'Redhead 150mm' })
      await page.goto(`${POPPER}/red-head`)
      await expectCached(page, `${POPPER}/red-head`)
      await expectCached(page, '/products')
      await expectCached(page, '/offline')
      const picture = page.getByRole('img', { name: /Red Head 150 mm/ }).first()
      await expectPictureCached(picture)

      // covers S58
      await test.step('the catalogue, visited pages and the cart open offline', async () => {
        await context.setOffline(true)
        await expect(toasts(page).getByText('No signal')).toBeVisible()
        await expectNothingCovered(page)
        await page.reload()

        await expect(page.getByRole('heading', { level: 1 })).toContainText('Chisel Nose Popper 150mm/30G')
        expect(
          await picture.evaluate((image: HTMLImageElement) =>
            image.decode().then(() => image.naturalWidth > 0),
          ),
        ).toBe(true)
        await expect(await angler.openCart()).toContainText(POPPER_150)
        await page.keyboard.press('Escape')
        await page.getByRole('link', { name: 'PRODUCTS', exact: true }).first().click()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our Products')
      })

      // covers S58
      await test.step('an unvisited page shows an offline message and the pages that open, but no video', async () => {
        await page.goto('/checkout')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('No signal out here')
        await expect(page.getByRole('main')).toContainText(
          "Opening it didn't place an order or take a payment",
        )
        const listed = () =>
          page.locator('#kept-pages a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
        await expect.poll(listed).toContain('/products')
        expect((await listed()).filter((path) => /\.\w+$/.test(path ?? ''))).toEqual([])
        await page.getByRole('link', { name: /Our Products/ }).click()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our Products')
      })

      await test.step('the offline message disappears once the connection is back', async () => {
        await expect(page.getByText(/^No signal\. Pages/)).toBeVisible()
        await context.setOffline(false)
        await expect(page.getByText(/^No signal\. Pages/)).toBeHidden()
      })
    },
  )
})

test('a customer’s pages and calls are not cached, but the last cart is shown offline', async ({
  page,
  context,
  angler,
  shop,
}) => {
  const customer = await signUpCustomer(shop)
  await putInCart(customer, { ...popper, quantity: 2, price: 142, with_hooks: true })
  await page.goto('/auth?redirect=%2Fcheckout')
  await angler.signIn({ email: customer.email, password: PASSWORD })
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  await page.goto('/products')
  await expect(page.getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
  await expectCached(page, '/products')
  await expectCached(page, '/')

  await test.step('personal pages and API calls are not cached', async () => {
    const cached = await page.evaluate(async () => {
      const names = await caches.keys()
      const addresses = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return addresses.flat().map(({ url }) => new URL(url).pathname)
    })

    expect(cached.length).toBeGreaterThan(0)
    expect(
      cached
        .filter((path) => !/^\/(assets|storage\/v1\/(render\/image|object)\/public)\//.test(path))
        .toSorted(),
    ).toEqual(['/', '/offline', '/products'])
  })

  await test.step('a buyer who returns from PayFast without a signal is not told that nothing was paid', async () => {
    await context.setOffline(true)
    const returned = `/payment-success?order_id=${crypto.randomUUID()}`
    await page.goto(returned)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No signal out here')
    const main = page.getByRole('main')
    await expect(main).not.toContainText('Nothing was ordered or paid')
    await expect(main).toContainText("If you've just paid, your payment stands")

    await context.setOffline(false)
    await main.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you')
    await expect(page).toHaveURL(returned)
    await context.setOffline(true)
  })

  // covers S58
  await test.step('an offline customer sees the last cart until the connection returns', async () => {
    await page.goto('/products')
    const drawer = await angler.openCart()

    await expect(drawer.getByRole('listitem')).toContainText(POPPER_150)
    await expect(drawer.getByRole('listitem')).toContainText('R284.00')
    await expect(drawer).toContainText('This is your cart as you last saw it')
    await expect(drawer.getByRole('button', { name: 'Increase quantity' })).toBeDisabled()
    await expect(drawer.getByRole('link', { name: 'Proceed to Checkout' })).toBeHidden()

    await context.setOffline(false)
    await expect(drawer.getByRole('link', { name: 'Proceed to Checkout' })).toBeVisible()
    await drawer.getByRole('button', { name: 'Increase quantity' }).click()
    await expect(drawer).toContainText('Shopping Cart (3 items)')
    await drawer.getByRole('button', { name: 'Close' }).click()
    await angler.signOut()
    // The visitor's cart replaces the customer's cart, which may still be loading.
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain(POPPER_150)
  })
})
