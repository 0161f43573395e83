import type { Locator, Page } from '@playwright/test'
import { POPPER_150 } from './fixtures/angler.ts'
import { expectNothingCovered, toasts } from './fixtures/geometry.ts'
import { expect, test } from './fixtures/journey.ts'

const POPPER = '/products/chisel-nose-popper-150'

/** Until the worker has kept a page, which it does when everything else is done. */
async function expectKept(page: Page, path: string): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(async (wanted) => {
          if (!navigator.serviceWorker.controller) return false
          const kept = await caches.match(wanted)
          const files = (await kept?.text())?.match(/\/assets\/[\w.~-]+\.(?:js|css)/g) ?? []
          const known = await Promise.all(files.map((file) => caches.match(file, { ignoreVary: true })))
          return files.length > 0 && known.every(Boolean)
        }, path),
      { timeout: 60_000 },
    )
    .toBe(true)
}

/** A picture that is still on its way when the signal goes has not been seen. */
async function expectPictureKept(picture: Locator): Promise<void> {
  await expect
    .poll(() =>
      picture.evaluate(async (image: HTMLImageElement) => {
        const kept = await caches.match(image.currentSrc, { ignoreVary: true })
        return image.complete && Boolean(kept)
      }),
    )
    .toBe(true)
}

test('without a signal the catalogue, what was seen and the cart still open', async ({
  page,
  context,
  angler,
}) => {
  await angler.choose({ lure: POPPER_150, colour: 'Redhead 150mm' })
  await page.goto(`${POPPER}/red-head`)
  await expectKept(page, `${POPPER}/red-head`)
  await expectKept(page, '/products')
  const picture = page.getByRole('img', { name: /Red Head 150 mm/ }).first()
  await expectPictureKept(picture)

  await context.setOffline(true)
  await expect(toasts(page).getByText('No signal')).toBeVisible()
  await expectNothingCovered(page)
  await page.reload()

  await expect(page.getByRole('heading', { level: 1 })).toContainText('Chisel Nose Popper 150mm/30G')
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0)),
  ).toBe(true)
  await expect(await angler.openCart()).toContainText(POPPER_150)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'PRODUCTS', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our Products')

  await expect(page.getByText(/^No signal\. Pages/)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/^No signal\. Pages/)).toBeHidden()
})

test('without a signal a customer reads the cart as it was last seen, and it is theirs again with the signal', async ({
  page,
  context,
  angler,
}) => {
  await page.goto('/auth')
  await angler.signUp()
  const isKept = page.waitForResponse(
    (answer) => answer.url().includes('cart_items') && answer.request().method() === 'POST',
  )
  await angler.choose({ lure: POPPER_150, colour: 'Redhead 150mm', quantity: 2 })
  await isKept
  await page.goto('/products')
  await expect(page.getByRole('button', { name: 'Cart, 2 items' })).toBeVisible()
  await expectKept(page, '/products')

  await context.setOffline(true)
  await page.reload()
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
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(POPPER_150)
})

test('a page that was never seen says that there is no signal and names those that open', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await expectKept(page, '/')
  await expectKept(page, '/offline')
  await context.setOffline(true)

  await page.goto('/checkout')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No signal out here')
  await expect(page.getByRole('main')).toContainText('Nothing was ordered or paid')
  await page.getByRole('link', { name: /Our Products/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our Products')
})

test('nothing personal is kept, and no call of the API', async ({ page, angler }) => {
  await page.goto('/auth')
  await angler.signUp()
  await page.goto('/checkout')
  await page.goto('/')
  await expectKept(page, '/')

  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const addresses = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return addresses.flat().map(({ url }) => new URL(url).pathname)
  })

  expect(kept.length).toBeGreaterThan(0)
  expect(
    kept.filter((path) => !/^\/(assets|storage\/v1\/(render\/image|object)\/public)\//.test(path)).toSorted(),
  ).toEqual(['/', '/offline', '/products'])
})

test('with Save-Data there is no film, pictures are smaller, and the page says so', async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({ extraHTTPHeaders: { 'Save-Data': 'on' } })
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
  )
  const page = await context.newPage()
  const films: string[] = []
  page.on('request', (request) => {
    if (/\.(webm|mp4)$/.test(request.url())) films.push(request.url())
  })
  await page.goto(shop.url)

  await expect(page.getByText('Saving your data: no film, smaller pictures.')).toBeVisible()
  expect(films).toEqual([])
  const address = await page
    .locator('img')
    .first()
    .evaluate((picture: HTMLImageElement) => picture.currentSrc)
  const size = async (headers: Record<string, string>) =>
    (await (await page.request.get(address, { headers })).body()).byteLength
  const full = await size({ 'Save-Data': 'off', Accept: 'image/avif' })
  expect(await size({ 'Save-Data': 'on', Accept: 'image/avif' })).toBeLessThan(full * 0.8)
  await context.close()
})

test.describe('with the film', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('the list of what opens without a signal names pages only, no film', async ({ page, context }) => {
    await page.goto('/')
    await expect
      .poll(() => page.locator('video').evaluate((film: HTMLVideoElement) => film.readyState))
      .toBeGreaterThan(1)
    await expectKept(page, '/')
    await expectKept(page, '/products')
    await page.reload()
    await expectKept(page, '/')
    await context.setOffline(true)
    await page.goto('/checkout')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No signal out here')
    const listed = await page
      .locator('#kept-pages a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(listed).toContain('/products')
    expect(listed.filter((path) => /\.\w+$/.test(path ?? ''))).toEqual([])
  })
})
