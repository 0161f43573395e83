import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { POPPER_150 } from './fixtures/angler.ts'
import { expect, test } from './fixtures/journey.ts'

async function expectNoSeriousProblem(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(serious).toEqual([])
}

for (const path of ['/', '/products', '/products/chisel-nose-popper-150', '/auth', '/no-such-page']) {
  test(`${path} has no serious accessibility problem`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(path, { waitUntil: 'networkidle' })

    await expectNoSeriousProblem(page)
  })
}

test('cart, checkout and the success page have no serious accessibility problem', async ({ angler }) => {
  const { page } = angler
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  const drawer = await angler.openCart()
  await expectNoSeriousProblem(page)

  await drawer.getByRole('button', { name: 'Close' }).click()
  await angler.goToCheckout()
  await expectNoSeriousProblem(page)

  await angler.placeOrder()
  await expectNoSeriousProblem(page)
  await angler.pay()
  await expectNoSeriousProblem(page)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the admin area has no serious accessibility problem, ${colorScheme}`, async ({ brother }) => {
    const { page } = brother
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })

    for (const tab of ['Dashboard', 'Orders', 'Clients', 'Products', 'Promo Codes', 'Gallery']) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await expect(page.getByRole('region', { name: tab })).not.toHaveAttribute('aria-busy', 'true')
      await expectNoSeriousProblem(page)
    }
  })
}
