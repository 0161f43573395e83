import { randomInt } from 'node:crypto'
import { stickBait } from '#test/shopping.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expect, test } from './fixtures/journey.ts'
import { acceptTerms, openCheckout } from './fixtures/signed-in.ts'

// covers S30
test('5OFFFIRST takes 5 % off a first order from R1500', async ({ angler, shop }) => {
  const { page } = angler
  await openCheckout(page, { shop, lines: [{ ...stickBait, quantity: 3 }] })
  await angler.applyPromoCode('5offfirst')
  await expect(page.getByText('Promo Code Applied!')).toBeVisible()
  await expect(angler.figure('Discount')).toHaveText('−R75.00')
  await expect(angler.figure('Total')).toHaveText(/^R1\s425\.00$/)

  // covers S30
  await test.step('the check of a saved promo code does not replace a code that is being typed', async () => {
    const releaseResponse = await holdResponses(page, '**/rpc/validate_promo_code*')
    const requested = page.waitForRequest('**/rpc/validate_promo_code*')
    await page.reload()
    await requested
    await page.getByLabel('Promo Code').fill('TIGHTLINES')
    const answered = page.waitForResponse('**/rpc/validate_promo_code*')
    await releaseResponse()
    await (await answered).finished()

    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Invalid Code')).toBeVisible()
    await expect(page.getByLabel('Promo Code')).toHaveValue('TIGHTLINES')
  })

  await page.getByLabel('Promo Code').fill('5OFFFIRST')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(angler.figure('Total')).toHaveText(/^R1\s425\.00$/)
  await acceptTerms(page)
  await angler.placeOrder()
  await expect(page.getByRole('heading', { name: /^Pay R1\s425\.00$/ })).toBeVisible()
  await angler.pay()
})

// covers S4.14 S9.5
test('an order that costs nothing is complete without a payment', async ({
  angler,
  shop,
  staff,
  adminPage,
}) => {
  const code = `GIFT-${randomInt(1e9)}`
  const { error } = await staff
    .from('promo_codes')
    .insert({ code, discount_type: 'percentage', discount_value: 100, free_shipping: true })
  expect(error).toBeNull()
  await openCheckout(angler.page, { shop })
  await acceptTerms(angler.page)

  await angler.applyPromoCode(code)
  await expect(angler.figure('Total')).toHaveText('R0.00')
  await angler.placeOrderButton.click()
  const number = await angler.paidOrderNumber()

  await adminPage.goto('/admin/orders')
  const row = adminPage.getByRole('row').filter({ hasText: number })
  await expect(row).toContainText('Nothing to pay')
  await expect(row.getByRole('combobox')).toHaveValue('new')
})
