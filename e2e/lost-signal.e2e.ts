import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { countFor } from '@saltfreak/backend/testing'
import { delivery, stickBait } from '#test/shopping.ts'
import type { Customer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { acceptTerms, openCheckout } from './fixtures/signed-in.ts'
import type { OpenShop } from './shop.ts'

test.use({ serviceWorkers: 'allow' })

const lines = [{ ...stickBait, quantity: 2 }]

const SEEDS = Array.from({ length: countFor('LOST_SIGNALS', { gate: 3, long: 40 }) }, (_, seed) => seed + 1)

// covers S33
test('a connection lost at any moment of the checkout creates at most one order', async ({ page, shop }) => {
  test.setTimeout(SEEDS.length * 60_000)
  // Warm up the browser's cache, so that a first visit does not distort the measured time.
  await openCheckout(page, { shop, lines })
  const placingMs = await measurePlacing(page, shop)

  for (const seed of SEEDS) {
    await test.step(`the connection is lost at the moment of seed ${seed}`, () =>
      placeWithLostSignal({ page, shop, lostAfterMs: shareFor(seed) * placingMs }))
  }
})

/** The fraction of the placing time after which the connection is lost: 0 is the press, above 1 the payment page has opened. */
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
  page: Page
  shop: OpenShop
  lostAfterMs: number
}

async function placeWithLostSignal({ page, shop, lostAfterMs }: Loss): Promise<void> {
  const buyer = await openCheckout(page, { shop, lines })
  await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
  await acceptTerms(page)
  const pressed = button(page).click({ noWaitAfter: true })
  await pause(lostAfterMs)
  await page.context().setOffline(true)
  await pressed
  await expect.poll(() => findState(page)).not.toBe('placing')

  const isAtCheckout = (await findState(page)) === 'told'
  const ordered = await orders(buyer)
  expect(ordered.length).toBeLessThanOrEqual(1)
  if (isAtCheckout) {
    await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
    if (await page.getByText('nothing was ordered').isVisible()) expect(ordered).toEqual([])
  }
  expect((await buyer.client.from('cart_items').select('quantity')).data).toEqual([{ quantity: 2 }])

  await page.context().setOffline(false)
  if (!isAtCheckout) await page.goto('/checkout')
  await expect(page.getByLabel('Street Address')).toHaveValue(delivery.address)
  await acceptTerms(page)
  await button(page).click()
  await expect(page.getByRole('heading', { name: /^Pay R1.100/ })).toBeVisible()

  expect(await orders(buyer)).toEqual([{ status: 'pending_payment', total_amount: 1100 }])
}

async function measurePlacing(page: Page, shop: OpenShop): Promise<number> {
  await openCheckout(page, { shop, lines })
  await acceptTerms(page)
  const start = performance.now()
  await button(page).click()
  await expect(page.getByRole('heading', { name: /^Pay R1.100/ })).toBeVisible()
  return performance.now() - start
}

async function findState(page: Page): Promise<'told' | 'left' | 'placing'> {
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
