import { expect, test } from '@playwright/test'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { Angler } from '../fixtures/angler.ts'
import { aPaidOrder } from '../fixtures/order-over-api.ts'

let shop: RunningShop
test.beforeAll(async () => {
  shop = await startShop()
})
test.afterAll(() => shop.stop())

test('a new shop shows the admin the setup steps until the first sale', async ({ page }) => {
  if (!shop.admin) throw new Error('a new shop printed no first admin')
  await page.goto(`${shop.url}/auth`)
  await new Angler(page).signIn(shop.admin)
  await page.goto(`${shop.url}/admin`)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('Add a second step to your sign-in')

  await aPaidOrder(shop)
  const answer = page.waitForResponse(/rpc\/setup_steps/)
  await page.reload()
  await (await answer).finished()

  await expect(page.getByRole('region', { name: 'To do' })).not.toHaveAttribute('aria-busy', 'true')
  await expect(steps).toHaveCount(0)
})
