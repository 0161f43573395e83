import type { Page } from '@playwright/test'
import { aPhoto } from '#test/gallery-photo.ts'
import { POPPER_150 } from '#test/product-names.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'

// A service worker would serve cached scripts, which this test delays in the network.
test.use({ serviceWorkers: 'block' })

const SCRIPTS = '**/assets/*.js'

/** Opens a page that is painted while its scripts still load. `wakeUp` releases the scripts. */
async function openUnhydrated(page: Page, path: string) {
  const { promise: awake, resolve: wakeUp } = Promise.withResolvers<void>()
  await page.unroute(SCRIPTS)
  await intercept(page, SCRIPTS, async (route) => {
    await awake
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return { wakeUp }
}

const ONLY_CHROMIUM = 'slows the processor over the DevTools protocol, which only Chromium has'

async function slowDown(page: Page, rate: number): Promise<void> {
  if (rate === 1) return
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate })
}

for (const { phone, rate, tag } of [
  { phone: 'a phone whose scripts come late', rate: 1, tag: [] },
  { phone: 'a phone that is six times slower as well', rate: 6, tag: '@long' },
]) {
  test(
    `taps and input at first paint are replayed after hydration, on ${phone}`,
    { tag },
    async ({ page, browserName }) => {
      test.skip(rate > 1 && browserName !== 'chromium', ONLY_CHROMIUM)
      await slowDown(page, rate)

      // covers S55
      await test.step('a lure added before hydration is in the cart once', async () => {
        const { wakeUp } = await openUnhydrated(page, '/products/chisel-nose-popper-150/blue-reaper')
        await page.getByRole('button', { name: 'With Hooks' }).click()
        await page.getByRole('button', { name: 'Increase quantity' }).first().click()
        await page.getByRole('button', { name: 'Increase quantity' }).first().click()
        await page
          .getByRole('button', { name: /^Add to Cart/ })
          .first()
          .click()
        wakeUp()

        await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
        await expect(page.getByRole('button', { name: 'Cart, 3 items' })).toBeVisible()
      })

      await test.step('an early sign-in is sent once after hydration, never in the URL, and the cart stays', async () => {
        const { wakeUp } = await openUnhydrated(page, '/auth')
        await page.getByLabel('E-mail', { exact: true }).first().fill('nobody@example.com')
        await page.getByLabel('Password').first().fill('not-the-password')
        await page.getByLabel('Password').first().press('Enter')
        await expect(page).toHaveURL(/\/auth$/)
        wakeUp()

        await expect(page.getByText('Login failed')).toBeVisible()
        await expect(page).toHaveURL(/\/auth$/)
        await expect(page.getByRole('button', { name: 'Cart, 3 items' })).toBeVisible()
      })

      await test.step('a product card swiped before hydration counts pictures from the new position', async () => {
        const { wakeUp } = await openUnhydrated(page, '/products')
        const card = page.getByRole('article', { name: POPPER_150 })
        const row = card.getByRole('group', { name: '1 of 6' })
        await expect(row.locator(':scope > *')).toHaveCount(6)
        await row.evaluate((strip) => strip.scrollTo({ left: strip.clientWidth }))
        wakeUp()

        await expect(card.getByRole('group', { name: '2 of 6' })).toBeVisible()
      })

      await test.step('a photo chosen before hydration is accepted', async () => {
        const { wakeUp } = await openUnhydrated(page, '/gallery')
        await page
          .getByLabel('Choose photos')
          .setInputFiles({ name: 'strike.jpg', mimeType: 'image/jpeg', buffer: await aPhoto() })
        wakeUp()

        const chosen = page.getByRole('list', { name: 'Chosen photos' }).getByRole('listitem')
        await expect(chosen).toHaveText(['strike.jpg'])
        await page.getByRole('button', { name: 'Remove strike.jpg' }).click()
        await expect(chosen).toHaveCount(0)
      })
    },
  )

  test(
    `a menu opened at first paint stays open and closes on the next page, on ${phone}`,
    { tag: '@long' },
    async ({ page, browserName }) => {
      test.skip(rate > 1 && browserName !== 'chromium', ONLY_CHROMIUM)
      await slowDown(page, rate)
      await page.setViewportSize({ width: 390, height: 844 })
      // On a phone this slow, React's effects after the paint run later than the replayed taps.
      await page.addInitScript(() => {
        Object.assign(window, { setImmediate: (work: () => void) => setTimeout(work, 250) })
      })
      const { wakeUp } = await openUnhydrated(page, '/')
      await page.getByRole('button', { name: 'Menu' }).click()
      wakeUp()
      await page.waitForFunction(() => !window.replayEarlyTaps)

      const menu = page.getByRole('dialog', { name: 'Menu' })
      await expect(menu).toBeVisible()
      await menu.getByRole('link', { name: 'GALLERY' }).click()

      await expect(page).toHaveURL('/gallery')
      await expect(menu).toBeHidden()
    },
  )

  test(
    `a form sent during the replay of early typing waits for the replay, on ${phone}`,
    { tag: '@long' },
    async ({ page, browserName }) => {
      test.skip(rate > 1 && browserName !== 'chromium', ONLY_CHROMIUM)
      await slowDown(page, rate)
      // On a phone this slow, a second passes between hydration and the replay.
      await page.addInitScript(() => {
        const later = window.setTimeout
        Object.assign(window, { setTimeout: (work: () => void, ms = 1000) => later(work, ms) })
      })
      // The shop sends an address one mail a minute, and the journey of the other phone asks for one as well.
      const email = `unknown-${crypto.randomUUID()}@example.com`
      const { wakeUp } = await openUnhydrated(page, '/auth/forgot-password')
      await page.getByLabel('E-mail', { exact: true }).fill(email)
      wakeUp()
      await page.waitForFunction(() =>
        Object.keys(document.querySelector('main form') ?? {}).some((key) => key.startsWith('__reactProps')),
      )

      await page.getByRole('button', { name: 'E-mail me a link' }).click()

      await expect(page.getByText(`If there is an account for ${email}`)).toBeVisible()
    },
  )
}
