import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { countFor } from '#test/property-runs.ts'
import { delivery, putInCart, stickBait } from '#test/storefront-calls/shopping.ts'
import { aCustomer, type Customer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import type { OpenShop } from './shop.ts'

const SEEDS = Array.from({ length: countFor('LOST_SIGNALS', { gate: 8, long: 40 }) }, (_, seed) => seed + 1)
const TESTS = 2

for (let group = 0; group < TESTS; group += 1) {
  const seeds = SEEDS.filter((seed) => seed % TESTS === group)

  test(`a signal lost at any moment of placing makes one order at most, and loses nothing (seeds ${seeds.join(', ')})`, async ({
    browser,
    shop,
  }) => {
    test.setTimeout(seeds.length * 60_000)
    const placingMs = await howLongPlacingTakes(browser, shop)

    for (const seed of seeds) {
      await test.step(`seed ${seed}`, () =>
        placeWithLostSignal({ browser, shop, lostAfterMs: shareFor(seed) * placingMs }))
    }
  })
}

/** Between 0, before the button is pressed, and a little after the payment page has come; a part of that for each seed. */
function shareFor(seed: number): number {
  return ((seed - 1 + random(seed)) / SEEDS.length) * 1.1
}

function random(seed: number): number {
  // mulberry32
  let state = Math.imul(seed, 0x6d2b79f5)
  state = Math.imul(state ^ (state >>> 15), state | 1)
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
}

interface Loss {
  browser: Browser
  shop: OpenShop
  lostAfterMs: number
}

async function placeWithLostSignal({ browser, shop, lostAfterMs }: Loss): Promise<void> {
  const buyer = await aCustomer(shop)
  const page = await openCheckout(browser, { shop, buyer })
  const pressed = button(page).click({ noWaitAfter: true })
  await pause(lostAfterMs)
  await page.context().setOffline(true)
  await pressed
  await expect.poll(() => whereabouts(page)).not.toBe('placing')

  const isAtCheckout = (await whereabouts(page)) === 'told'
  const ordered = await orders(buyer)
  expect(ordered.length).toBeLessThanOrEqual(1)
  if (isAtCheckout) {
    await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
    if (await page.getByText('nothing was ordered').isVisible()) expect(ordered).toEqual([])
  }
  expect((await buyer.client.from('cart_items').select('quantity')).data).toEqual([{ quantity: 2 }])

  await page.context().setOffline(false)
  if (!isAtCheckout) await page.goto(`${shop.url}/checkout`)
  await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
  await page.getByRole('checkbox', { name: /I accept/ }).check()
  await button(page).click()
  await expect(page.getByRole('heading', { name: /^Pay R1.100/ })).toBeVisible()

  expect(await orders(buyer)).toEqual([{ status: 'pending_payment', total_amount: 1100 }])
  await page.context().close()
}

async function howLongPlacingTakes(browser: Browser, shop: OpenShop): Promise<number> {
  const page = await openCheckout(browser, { shop, buyer: await aCustomer(shop) })
  const start = performance.now()
  await button(page).click()
  await expect(page.getByRole('heading', { name: /^Pay R1.100/ })).toBeVisible()
  await page.context().close()
  return performance.now() - start
}

/** Signed in, with two lures in the cart and the form filled in: what was typed in this tab before. */
async function openCheckout(
  browser: Browser,
  { shop, buyer }: { shop: OpenShop; buyer: Customer },
): Promise<Page> {
  await putInCart(buyer, { ...stickBait, quantity: 2 })
  const { data } = await buyer.client.auth.getSession()
  const context = await browser.newContext()
  await context.addInitScript(
    ([session, form]) => {
      if (sessionStorage.length > 0) return
      localStorage.setItem('sb-localhost-auth-token', session)
      localStorage.setItem('cookie_consent', '{"hasResponded":true,"cookiesAccepted":false}')
      sessionStorage.setItem('checkout_form', form)
    },
    [JSON.stringify(data.session), JSON.stringify({ ...delivery, user_id: buyer.userId })] as const,
  )
  const page = await context.newPage()
  await page.goto(`${shop.url}/checkout`)
  await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
  await page.getByRole('checkbox', { name: /I accept/ }).check()
  return page
}

async function whereabouts(page: Page): Promise<'told' | 'left' | 'placing'> {
  if (!page.url().endsWith('/checkout')) return 'left'
  const isTold = await page
    .getByRole('main')
    .getByRole('alert')
    .isVisible()
    .catch(() => false)
  return isTold ? 'told' : 'placing'
}

async function orders({ client }: Customer) {
  const { data, error } = await client.from('orders').select('status, total_amount')
  if (error) throw error
  return data
}

const button = (page: Page) => page.getByRole('button', { name: /^Place Order|^Processing/ })
