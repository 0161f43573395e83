import { putInCart } from '#test/shopping.ts'
import { shop as shopItself } from '#shop'
import { signUpCustomer } from './fixtures/customer.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { riggedPopper, signInAs } from './fixtures/signed-in.ts'

test('the checkout shows the specified texts to customers with a filled cart', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const alert = page.getByRole('alert')
  const line = { ...riggedPopper, product_variant: 'Mahi Mahi 150mm' }
  const customer = await signUpCustomer(shop)
  const freeCode = `FREE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  await staff
    .from('promo_codes')
    .insert({ code: freeCode, discount_type: 'fixed', discount_value: 10, free_shipping: true })

  // covers S2.34 S8.8
  await test.step('the checkout opens only for customers with a filled cart', async () => {
    await page.goto('/checkout')
    await expect(page).toHaveURL('/auth?redirect=%2Fcheckout')
    await signInAs(page, { shop, client: customer.client })
    await page.goto('/checkout')
    await expect(page).toHaveURL('/')
  })

  await putInCart(customer, line)
  await page.goto('/checkout')

  await test.step('the checkout page has only logo, help, cart, policies and legal details around the form', async () => {
    const header = page.getByRole('banner')
    const footer = page.getByRole('contentinfo')
    await expect(header.getByRole('navigation')).toHaveCount(0)
    await expect(header.getByRole('link', { name: shopItself.name })).toHaveAttribute('href', '/')
    await expect(footer.getByRole('form')).toHaveCount(0)
    for (const name of ['Shipping & Returns', 'Terms of Service', 'Privacy Policy', 'Cookie Policy']) {
      await expect(footer.getByRole('link', { name })).toBeVisible()
    }
    await expect(footer.getByRole('link', { name: shopItself.contact.phone })).toBeVisible()
    await expect(footer.getByRole('link', { name: shopItself.contact.email })).toBeVisible()
    for (const fact of [shopItself.legal.name, shopItself.legal.serviceAddress])
      await expect(footer).toContainText(fact)

    await header.getByRole('button', { name: 'Back to cart' }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText(line.product_name)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
  })

  // covers S2.4 S2.33 S5.13 S5.14 S8.12
  await test.step('the checkout’s form, promo code and button show the specified texts', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout')
    await expect(page.getByRole('heading', { name: 'Shipping Information' })).toBeVisible()
    const summary = page.getByRole('region', { name: 'Order Summary' })
    await expect(summary.getByRole('listitem').first()).toContainText(line.product_name)
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
    await expect(angler.figure('Total')).toHaveText('R242.00')
    // The toast covers nothing that is pressed next.
    const [alertBox, button] = [await alert.boundingBox(), await angler.placeOrderButton.boundingBox()]
    expect((alertBox?.y ?? 0) + (alertBox?.height ?? 0)).toBeLessThan(button?.y ?? 0)
    await intercept(page, '**/rpc/validate_promo_code', (route) => route.abort())
    await apply.click()
    await expect(alert).toContainText('Failed to apply promo code')
    await page.unroute('**/rpc/validate_promo_code')
  })

  // covers S4.19 S8.13 S21
  await test.step('a customer applies and removes a promo code', async () => {
    await page.getByLabel('Promo Code').fill(freeCode)
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Promo Code Applied!')).toBeVisible()
    await expect(page.getByText('You saved R10.00 + Free Shipping!').first()).toBeVisible()
    await expect(angler.figure('Total')).toHaveText('R132.00')
    await page.getByRole('region', { name: 'Order Summary' }).getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Promo Code Removed')).toBeVisible()
    await expect(angler.figure('Total')).toHaveText('R242.00')
  })

  await test.step('an order without accepted terms shows an error at the checkbox and in a toast', async () => {
    await angler.fillDelivery()
    await page.getByRole('checkbox', { name: /I accept/ }).uncheck()
    await angler.placeOrderButton.click()
    await expect(alert.filter({ hasText: 'Validation Error' })).toContainText(
      'Please check all required fields',
    )
    await expect(page.getByRole('checkbox', { name: /I accept/ })).toHaveAccessibleDescription(
      'You must accept the terms and privacy policy',
    )
  })
})
