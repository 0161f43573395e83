import { randomInt } from 'node:crypto'
import { POPPER_150, STICK_BAIT } from './fixtures/angler.ts'
import { hold } from './fixtures/hold.ts'
import { expect, test } from './fixtures/journey.ts'

test('5OFFFIRST takes 5 % off a first order from R1500', async ({ angler }) => {
  await angler.choose({ lure: STICK_BAIT, colour: 'Red Head', quantity: 3 })
  await angler.goToCheckout()

  await angler.applyPromoCode('5offfirst')

  await expect(angler.page.getByText('Promo Code Applied!')).toBeVisible()
  await expect(angler.figure('Discount')).toHaveText('−R75.00')
  await expect(angler.figure('Total')).toHaveText(/^R1\s425\.00$/)
  await angler.placeOrder()
  await expect(angler.page.getByRole('heading', { name: /^Pay R1\s425\.00$/ })).toBeVisible()
  await angler.pay()
})

test('5OFFFIRST says what it needs below R1500, and the order keeps its price', async ({ angler }) => {
  await angler.choose({ lure: POPPER_150, colour: 'Redhead 150mm' })
  await angler.goToCheckout()

  await angler.applyPromoCode('5OFFFIRST')

  await expect(angler.page.getByText('Minimum order of R1500 required for this code').first()).toBeVisible()
  await expect(angler.figure('Total')).toHaveText('R242.00')
})

test('an order that costs nothing is complete without a payment', async ({ angler, staff, brother }) => {
  const code = `GIFT-${randomInt(1e9)}`
  const { error } = await staff
    .from('promo_codes')
    .insert({ code, discount_type: 'percentage', discount_value: 100, free_shipping: true })
  expect(error).toBeNull()
  await angler.choose({ lure: POPPER_150, colour: 'Slachback 150mm' })
  await angler.goToCheckout()

  await angler.applyPromoCode(code)
  await expect(angler.figure('Total')).toHaveText('R0.00')
  await angler.placeOrderButton.click()
  const number = await angler.paidOrderNumber()

  await brother.page.getByRole('link', { name: 'Orders', exact: true }).click()
  const row = brother.page.getByRole('row').filter({ hasText: number })
  await expect(row).toContainText('Nothing to pay')
  await expect(row.getByRole('combobox')).toHaveValue('new')
})

test('a kept code that is asked for again takes nothing from whoever types another meanwhile', async ({
  angler,
}) => {
  const { page } = angler
  await angler.choose({ lure: STICK_BAIT, colour: 'Red Head', quantity: 4 })
  await angler.goToCheckout()
  await angler.applyPromoCode('5OFFFIRST')
  await expect(page.getByText('Promo Code Applied!')).toBeVisible()
  const letAnswer = await hold(page, '**/rpc/validate_promo_code*')
  const asked = page.waitForRequest('**/rpc/validate_promo_code*')
  await page.reload()
  await asked
  await page.getByLabel('Promo Code').fill('TIGHTLINES')
  const answered = page.waitForResponse('**/rpc/validate_promo_code*')
  letAnswer()
  await (await answered).finished()

  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Invalid Code')).toBeVisible()
  await expect(page.getByLabel('Promo Code')).toHaveValue('TIGHTLINES')
})
