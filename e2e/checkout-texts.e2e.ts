import { POPPER_150 } from './fixtures/angler.ts'
import { expect, test } from './fixtures/journey.ts'
import { shop } from '#shop'

test('the checkout is for customers with something in the cart', async ({ angler }) => {
  const { page } = angler
  await page.goto('/checkout')
  await expect(page).toHaveURL(/\/auth/)

  await angler.signUp()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('status').filter({ hasText: 'Account created successfully' })).toBeVisible()
})

test('form, promo code and button say what the specification says', async ({ angler }) => {
  const { page } = angler
  const alert = page.getByRole('alert')
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  await angler.goToCheckout()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout')
  await expect(page.getByRole('heading', { name: 'Shipping Information' })).toBeVisible()
  const summary = page.getByRole('region', { name: 'Order Summary' })
  await expect(summary.getByRole('listitem').first()).toContainText(POPPER_150)
  for (const [name, path] of [
    ['Terms of Service', '/terms-of-service'],
    ['Privacy Policy', '/privacy-policy'],
  ] as const) {
    const link = page.getByRole('main').getByRole('link', { name }).first()
    await expect(link).toHaveAttribute('href', path)
    await expect(link).toHaveAttribute('target', '_blank')
  }

  await page.getByRole('button', { name: 'I have a promo code' }).click()
  const code = page.getByLabel('Promo Code')
  const apply = page.getByRole('button', { name: 'Apply' })
  await apply.click()
  await expect(code).toHaveAccessibleDescription('Please enter a promo code')
  await code.fill('nonsense')
  await expect(code).toHaveValue('NONSENSE')
  await apply.click()
  await expect(alert).toContainText('Invalid Code')
  await code.fill('5OFFFIRST')
  await apply.click()
  await expect(alert).toContainText('Minimum Order Not Met')
  await expect(alert).toContainText('Minimum order of R1500 required for this code')
  // It lies over nothing that is pressed next.
  const [told, button] = [await alert.boundingBox(), await angler.placeOrderButton.boundingBox()]
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThan(button?.y ?? 0)
  await page.route('**/rpc/validate_promo_code', (route) => route.abort())
  await apply.click()
  await expect(alert).toContainText('Failed to apply promo code')

  await page.getByRole('checkbox', { name: /I accept/ }).uncheck()
  await angler.placeOrderButton.click()
  await expect(alert.filter({ hasText: 'Validation Error' })).toContainText(
    'Please check all required fields',
  )
  await expect(page.getByRole('checkbox', { name: /I accept/ })).toHaveAccessibleDescription(
    'You must accept the terms and privacy policy',
  )
})

test('a code is applied and taken off again', async ({ angler, staff }) => {
  const { page } = angler
  const code = `FREE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  await staff
    .from('promo_codes')
    .insert({ code, discount_type: 'fixed', discount_value: 10, free_shipping: true })
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  await angler.goToCheckout()

  await angler.applyPromoCode(code)

  await expect(page.getByText('Promo Code Applied!')).toBeVisible()
  await expect(page.getByText('You saved R10.00 + Free Shipping!').first()).toBeVisible()
  await page.getByRole('region', { name: 'Order Summary' }).getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Promo Code Removed')).toBeVisible()
  await expect(angler.figure('Total')).toHaveText('R242.00')
})

test('while it is sent the button says so; a failure gives it back', async ({ angler }) => {
  const { page } = angler
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  await angler.goToCheckout()
  const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>()
  await page.route('**/functions/v1/generate-payfast-payment', async (route) => {
    await held
    await route.fulfill({ json: {} })
  })

  await angler.placeOrderButton.click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
  letGo(undefined)

  await expect(page.getByRole('alert').filter({ hasText: 'Failed to place order' })).toContainText(
    'Failed to place order. Please try again.',
  )
  await expect.poll(() => logged.join()).toContain('Invalid payment data received from server')
  await expect(angler.placeOrderButton).toBeEnabled()
})

test('the checkout has only the logo, help, the cart and the policies around it, and still the legal facts', async ({
  angler,
}) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  await angler.goToCheckout()
  const header = page.getByRole('banner')
  const footer = page.getByRole('contentinfo')

  await expect(header.getByRole('navigation')).toHaveCount(0)
  await expect(header.getByRole('link', { name: shop.name })).toHaveAttribute('href', '/')
  await expect(footer.getByRole('form')).toHaveCount(0)
  for (const name of ['Shipping & Returns', 'Terms of Service', 'Privacy Policy', 'Cookie Policy']) {
    await expect(footer.getByRole('link', { name })).toBeVisible()
  }
  await expect(footer.getByRole('link', { name: shop.contact.phone })).toBeVisible()
  await expect(footer.getByRole('link', { name: shop.contact.email })).toBeVisible()
  for (const fact of [shop.legal.name, shop.legal.serviceAddress]) await expect(footer).toContainText(fact)

  await header.getByRole('button', { name: 'Back to cart' }).click()
  await expect(page.getByRole('dialog').getByText(POPPER_150)).toBeVisible()
})
