import type { Page } from '@playwright/test'
import { aPhoto } from '#test/gallery-photo.ts'
import { placeOrder } from '#test/shopping.ts'
import { type Angler, PASSWORD } from './fixtures/angler.ts'
import { expectToFit, expectUsable } from './fixtures/audit.ts'
import { totp } from './fixtures/authenticator.ts'
import { signUpCustomer } from './fixtures/customer.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'

/**
 * Audits what opens on a page and invalid forms. `every-page.e2e.ts` audits freshly opened pages and the admin area, `reach.e2e.ts` the
 * purchase.
 */

test.describe('accessibility of greetings and forms', () => {
  test.use({ isGreeted: false })

  // covers S17 S48 S50
  test(
    'the cookie banner, discount popup, invalid forms, menu, empty cart and search are accessible',
    { tag: '@long' },
    async ({ angler }) => {
      await test.step('the cookie banner and the discount popup are accessible', () => greetings(angler.page))
      await test.step('forms with validation errors are accessible', () => invalidForms(angler.page))
      await test.step('the menu, the empty cart and the search are accessible', () => overlays(angler))
    },
  )
})

async function greetings(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Cookies?' })).toBeVisible()
  await expectUsable(page, { within: '[aria-labelledby=cookie-question]' })
  await page.getByRole('button', { name: 'Decline' }).click()

  const popup = page.getByRole('dialog', { name: '5% off your first order' })
  await expect(async () => {
    await page.evaluate(() => scrollBy(0, 600))
    await expect(popup).toBeVisible({ timeout: 500 })
  }).toPass()
  await popup.getByRole('button', { name: 'Get my code' }).click()
  await expect(popup.getByRole('alert')).toBeVisible()
  await expectUsable(page)
  await popup.getByLabel('E-mail', { exact: true }).fill(`reader-${crypto.randomUUID()}@example.com`)
  await popup.getByRole('button', { name: 'Get my code' }).click()
  await expect(popup.getByText('5OFFFIRST', { exact: true })).toBeVisible()
  await expectUsable(page)
}

/** File names have the maximum length and no spaces. */
async function invalidForms(page: Page): Promise<void> {
  await openHydrated(page, '/gallery')
  await page.getByLabel('Choose photos').setInputFiles([
    { name: `${'W'.repeat(120)}.jpg`, mimeType: 'image/jpeg', buffer: await aPhoto() },
    { name: `${'W'.repeat(120)}.pdf`, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
  ])
  await expect(page.getByRole('list', { name: 'Skipped files' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Chosen photos' }).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Submit for Review' }).click()
  await page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('alert')).toContainText('Please enter your email')
  await expectUsable(page)
  await expectToFit(page)
}

async function overlays(angler: Angler): Promise<void> {
  const { page } = angler
  const empty = await angler.openCart()
  await expectUsable(page)
  await empty.getByRole('button', { name: 'Close' }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expectUsable(page)
  await page.getByRole('searchbox').fill('zzzz')
  await expect(page.getByRole('dialog', { name: 'Search' })).toContainText('zzzz')
  await expectUsable(page)
  await page.getByRole('searchbox').fill('popper')
  await expect(page.getByRole('list', { name: 'Search results' })).toBeVisible()
  await expectUsable(page)
}

// covers S48
test(
  'the dialogs of the account page and the second step are accessible',
  { tag: '@long' },
  async ({ angler, shop }) => {
    const { page } = angler
    const customer = await signUpCustomer(shop)
    const order = await placeOrder(customer)
    await page.goto('/auth?redirect=/account')
    await angler.signIn({ email: customer.email, password: PASSWORD })
    await expect(page.getByRole('heading', { name: /^Order #/ })).toBeVisible()
    await expectUsable(page)

    await page.goto(`/account/orders/${order.id}`)
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectUsable(page)
    await page.goto('/account/data')
    await expect(page.getByRole('switch')).toBeVisible()
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expectUsable(page)

    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    const key = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).innerText()
    await expectUsable(page)
    await page.getByLabel('Code').fill(totp(key))
    await page.getByRole('button', { name: 'Turn it on' }).click()
    await page.getByRole('button', { name: 'Get recovery codes' }).click()
    await expect(page.getByRole('dialog', { name: 'Recovery codes' })).toBeVisible()
    await expectUsable(page)
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await expectUsable(page)
    await page.getByRole('button', { name: /^Remove/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectUsable(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'My Account' }).click()
    await expectUsable(page)

    await angler.signOut()
    await page.goto('/auth')
    const login = page.getByRole('tabpanel', { name: 'Login' })
    await login.getByLabel('E-mail', { exact: true }).fill(customer.email)
    await login.getByLabel('Password').fill(PASSWORD)
    await login.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByLabel('Code')).toBeVisible()
    await expectUsable(page)
  },
)
