import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { PASSWORD, POPPER_150, POPPER_200 } from './fixtures/angler.ts'
import { hold } from './fixtures/hold.ts'
import { expect, test } from './fixtures/journey.ts'
import { askDatabase } from './fixtures/shop-database.ts'

const visibleFields = (page: Page) =>
  page.locator('#checkout-form').locator('input:not([type=radio]):visible, select:visible, textarea:visible')

test('the form is short, understands how South Africans write, and offers lockers and a province', async ({
  angler,
}) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })
  await page.goto('/auth?redirect=%2Fcheckout')
  await angler.signUp()
  await expect(page.getByLabel('Full Name')).toHaveValue(angler.name)
  await expect(visibleFields(page)).toHaveCount(8)

  const locker = page.getByRole('combobox', { name: 'Nearest Locker Location' })
  await locker.pressSequentially('sand riv')
  await expect(page.getByRole('option', { name: /Sasol Rivonia Uplifted/ })).toBeVisible()
  await locker.press('ArrowDown')
  await locker.press('Enter')
  await expect(locker).toHaveValue('CG54 Sasol Rivonia Uplifted, 375 Rivonia Rd, Rivonia, Sandton, 2191')

  await page.getByLabel('Phone').fill('+27 (0)82 555 0148')
  await page.getByLabel('Postal Code').fill('ZA-6191')
  const province = page.getByLabel('State/Province')
  await expect(province).toHaveValue('Eastern Cape')
  await province.selectOption('Western Cape')
  await page.getByLabel('City').fill('Durban')
  await expect(province).toHaveValue('Western Cape')
  const review = page.getByRole('region', { name: 'Check before you order' })
  await expect(review).toContainText('082 555 0148')
  await expect(review).toContainText('Western Cape 6191')

  await page.getByRole('radio', { name: /Door-to-Door/ }).check()
  await expect(visibleFields(page)).toHaveCount(7)
})

test('what the account knows does not run into what is about to be typed', async ({ angler }) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })
  const letProfileCome = await hold(page, '**/rest/v1/profiles*')
  await page.goto('/auth?redirect=%2Fcheckout')
  await angler.signUp()
  const email = page.getByLabel('E-mail', { exact: true })
  await email.focus()

  letProfileCome()

  await expect(page.getByLabel('Full Name')).toHaveValue(angler.name)
  await page.keyboard.type('gift@example.com')
  await expect(email).toHaveValue('gift@example.com')
})

test('all mistakes are listed, each leads to its field, and the first has the focus', async ({ angler }) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })
  await page.goto('/auth?redirect=%2Fcheckout')
  await angler.signUp()
  await expect(page.getByLabel('Full Name')).toHaveValue(angler.name)
  await page.getByLabel('Full Name').fill('T')

  await angler.placeOrderButton.click()

  await expect(page.getByText('Please check all required fields')).toBeVisible()
  await expect(page.getByLabel('Full Name')).toBeFocused()
  const summary = page.getByRole('region', { name: 'Please check' })
  await expect(summary.getByRole('button').first()).toHaveText('Name must be at least 2 characters')
  await summary.getByRole('button', { name: 'Postal code must be at least 4 characters' }).click()
  await expect(page.getByLabel('Postal Code')).toBeFocused()

  await page.getByLabel('Postal Code').fill('6191')
  await expect(summary).not.toContainText('Postal code')
  await expect(summary).not.toContainText('Province')
  await expect(summary).toContainText('Please specify your nearest locker location')
  await page.getByRole('radio', { name: /Door/ }).check()
  await expect(summary).not.toContainText('locker')
})

test('whoever types on while the form is still being judged is not torn away', async ({ angler }) => {
  const { page } = angler
  const { promise: slowLine, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/assets/judge-draft-*.js', async (route) => {
    await slowLine
    await route.continue()
  })
  await angler.choose({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })
  await page.goto('/auth?redirect=%2Fcheckout')
  await angler.signUp()
  await expect(page.getByLabel('Full Name')).toHaveValue(angler.name)

  await angler.placeOrderButton.click()
  await page.getByLabel('City').pressSequentially('Kny')
  answer()
  await expect(page.getByText('Please check all required fields')).toBeVisible()
  await page.keyboard.type('sna')

  await expect(page.getByLabel('City')).toHaveValue('Knysna')
})

test('what is typed survives a reload, a sign-out and a cancelled payment; Back and a second tab make no second order', async ({
  angler,
  staff,
}) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })
  await angler.goToCheckout()
  await page.reload()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await angler.signOut()
  await page.goto('/auth?redirect=%2Fcheckout')
  await angler.signIn({ email: angler.email, password: PASSWORD })
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await expect(page.getByLabel('Nearest Locker Location')).toHaveValue('Spar, Kenton-on-Sea')

  await page.getByRole('checkbox', { name: /I accept/ }).check()
  await angler.placeOrder()
  await page.goBack()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  const other = await page.context().newPage()
  await other.goto('/checkout')
  // The second tab knows the address from the last time; the locker is asked for anew.
  await expect(other.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await other.getByLabel('Nearest Locker Location').fill('Spar, Kenton-on-Sea')
  await Promise.all(
    [page, other].map(async (tab) => {
      await tab.getByRole('checkbox', { name: /I accept/ }).check()
      await tab.getByRole('button', { name: /^Place Order/ }).click()
      await expect(tab.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
    }),
  )

  const { data } = await staff
    .from('orders')
    .select('id, status, profiles!inner(email)')
    .eq('profiles.email', angler.email)
    .neq('status', 'cancelled')
  expect(data).toHaveLength(1)
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
})

test('a price that rose and a shelf that emptied are told on the line, with what was before', async ({
  angler,
  staff,
}) => {
  const { page } = angler
  await angler.choose({ lure: POPPER_150, colour: 'Slachback 150mm', hooks: 'Without Hooks', quantity: 3 })
  const product = staff.from('products').update({ price: 115 }).eq('name', POPPER_150).select('id').single()
  const { data } = await product
  const slachback = () =>
    staff
      .from('product_variants')
      .update({ stock_quantity: 2 })
      .eq('product_id', data?.id)
      .eq('slug', 'slachback')
  await slachback()

  const drawer = await angler.openCart()

  await expect(drawer).toContainText('The price changed from R110 to R115.')
  await expect(drawer).toContainText('Only 2 left; you have 3.')
  await drawer.getByRole('button', { name: 'Change to 2' }).click()
  await expect(drawer).toContainText('R230.00')
  await page.reload()

  await staff.from('products').update({ price: 110 }).eq('id', data?.id)
  await staff
    .from('product_variants')
    .update({ stock_quantity: 20 })
    .eq('product_id', data?.id)
    .eq('slug', 'slachback')
})

test('a shipping rate and a code that changed meanwhile are told with the new total, which the button then says', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const code = `TIDE-${randomInt(1e9)}`
  await staff.from('promo_codes').insert({ code, discount_type: 'fixed', discount_value: 40 })
  await angler.choose({ lure: POPPER_150, colour: 'Blue Reaper 150mm' })
  await angler.goToCheckout()
  await angler.applyPromoCode(code)
  await expect(angler.placeOrderButton).toContainText('R202.00')

  await staff.from('promo_codes').update({ discount_value: 30 }).eq('code', code)
  await askDatabase(shop, 'update public.shop_settings set shipping_rate = 80')
  await angler.placeOrderButton.click()

  await expect(
    page.getByText('The total has changed to R192.00. Please check it and order again.'),
  ).toBeVisible()
  await expect(angler.figure('Shipping')).toHaveText('R80.00')
  await expect(angler.placeOrderButton).toContainText('R192.00')
  await angler.placeOrder()
  await expect(page.getByRole('heading', { name: 'Pay R192.00' })).toBeVisible()
  await askDatabase(shop, 'update public.shop_settings set shipping_rate = null')
})
