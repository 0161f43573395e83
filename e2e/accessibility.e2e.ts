import { aPhoto } from '#test/gallery-photo.ts'
import { placeOrder } from '#test/storefront-calls/shopping.ts'
import { PASSWORD, POPPER_150 } from './fixtures/angler.ts'
import { expectNoSeriousProblem, expectUsable, expectUsableInBothThemes } from './fixtures/audit.ts'
import { totp } from './fixtures/authenticator.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { aFailedMail, aForgedNotice } from './fixtures/needs-attention.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'

/** Pages as they stand when they are opened: `every-page.e2e.ts`. Here is what opens and complains on them. */

test('forms that complain, the menu, the empty cart and the search can be read and pressed by everybody', async ({
  angler,
}) => {
  const { page } = angler
  await page.goto('/gallery', { waitUntil: 'networkidle' })
  await page.getByLabel('Choose photos').setInputFiles([
    { name: 'garrick.jpg', mimeType: 'image/jpeg', buffer: await aPhoto() },
    { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
  ])
  await expect(page.getByRole('list', { name: 'Left out' })).toBeVisible()
  await page.getByRole('button', { name: 'Submit for Review' }).click()
  await page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('alert')).toContainText('Please enter your email')
  await expectUsable(page)

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
})

test.describe('greetings', () => {
  test.use({ isGreeted: false })

  test('the question about cookies and the discount can be read and pressed by everybody', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('region', { name: 'Cookies?' })).toBeVisible()
    await expectUsable(page)
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
  })
})

test('cart, checkout, payment and its success can be read and pressed by everybody', async ({ angler }) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  const drawer = await angler.openCart()
  await expectUsable(page)

  await drawer.getByRole('button', { name: 'Close' }).click()
  await angler.goToCheckout()
  await expectUsable(page)

  await angler.placeOrder()
  await expectUsable(page)
  await angler.pay()
  await expectUsable(page)
})

test('the dialogs of the account and the second step can be read and pressed by everybody', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  const order = await placeOrder(customer)
  await page.goto('/auth?redirect=/account')
  await angler.signIn({ email: customer.email, password: PASSWORD })
  await expect(page.getByRole('heading', { name: /^Order #/ })).toBeVisible()
  await expectUsable(page)

  await page.goto(`/account/orders/${order.id}`)
  await page.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectUsable(page)
  await page.goto('/account/details')
  await expect(page.getByLabel('Full Name')).toBeVisible()
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
  await page.getByRole('button', { name: 'I have kept them' }).click()
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
})

test('the admin area’s tabs can be read and pressed by everybody, light and dark', async ({ brother }) => {
  const { page } = brother

  for (const tab of ['Dashboard', 'Orders', 'Clients', 'Products', 'Promo Codes', 'Gallery']) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await expect(page.getByRole('region', { name: tab })).not.toHaveAttribute('aria-busy', 'true')
    await expectUsableInBothThemes(page)
  }
})

test('the admin area’s other pages and dialogs have no serious accessibility problem, in either theme', async ({
  brother: { page },
  shop,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const order = await aPaidOrder(shop)
  await aFailedMail(shop, order)
  await aForgedNotice(shop)

  await page.getByRole('button', { name: 'Use the dark theme' }).click()
  for (const path of ['/needs-attention', '/messages', '/history', '/settings', `/orders/${order.id}`]) {
    await page.goto(`/admin${path}`, { waitUntil: 'networkidle' })
    await expectNoSeriousProblem(page)
  }
  await page.goto('/admin', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Use the light theme' }).click()
  await expectNoSeriousProblem(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Order, client/ }).fill('pop')
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectNoSeriousProblem(page)
  await page.keyboard.press('Escape')
  await page.goto(`/admin/orders/${order.id}`, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Refund' }).click()
  await expectNoSeriousProblem(page)
})
