import type { Page } from '@playwright/test'
import { placeOrder } from '#test/storefront-calls/shopping.ts'
import { PASSWORD, POPPER_150 } from './fixtures/angler.ts'
import { expectTargets, expectToFit } from './fixtures/audit.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { ACCOUNT, CHECKOUT, PUBLIC_PAGES } from './fixtures/pages.ts'

/** What else makes a page usable is the same on every screen and stands in `every-page.e2e.ts`. */
async function expectLargeTargets(page: Page, address: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expectTargets(page)
}

async function expectPhoneLayout(page: Page, address: string): Promise<void> {
  await expectLargeTargets(page, address)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectToFit(page)
}

for (const [group, pages] of Object.entries<Record<string, string>>(PUBLIC_PAGES)) {
  test(`pages of ${group} fit a phone, and every target is large enough for a finger`, async ({ page }) => {
    for (const address of Object.values(pages)) await expectPhoneLayout(page, address)
  })
}

test('the checkout and every page of the account fit a phone, and every target is large enough for a finger', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  const order = await placeOrder(customer)
  await page.goto('/auth')
  await angler.signIn({ email: customer.email, password: PASSWORD })
  for (const address of Object.values(ACCOUNT))
    await expectPhoneLayout(page, address.replace(':orderId', order.id))

  await angler.choose({ lure: POPPER_150, colour: 'Slachback 150mm' })
  await expectPhoneLayout(page, CHECKOUT)
})

test('every target of the admin area’s lists and forms is large enough for a finger', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const lists = ['', '/orders', '/clients', '/products', '/promo-codes', '/gallery', '/messages', '/settings']
  for (const path of [...lists, `/orders/${order.id}`]) await expectLargeTargets(page, `/admin${path}`)
})
