import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { deliveryWindow, windowText } from '#domain/delivery-promise.ts'
import { addDays } from '#domain/public-holidays.ts'
import { todayInSouthAfrica } from '#domain/today.ts'
import { putInCart } from '#test/shopping.ts'
import { Angler, PASSWORD } from './fixtures/angler.ts'
import { signUpCustomer } from './fixtures/customer.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { acceptTerms, openCheckout, signInAs } from './fixtures/signed-in.ts'

const visibleFields = (page: Page) =>
  page.locator('#checkout-form').locator('input:not([type=radio]):visible, select:visible, textarea:visible')

test('the checkout form keeps typed text, lists errors and accepts South African formats', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const customer = await signUpCustomer(shop)
  await putInCart(customer)
  await signInAs(page, { shop, client: customer.client })
  const releaseProfile = await holdResponses(page, '**/rest/v1/profiles*')
  const releaseValidation = await holdResponses(page, '**/assets/submission-*.js')
  const summary = page.getByRole('region', { name: 'Please check' })
  const toast = page.getByText('Please check all required fields')

  await test.step('prefilled checkout details do not mix with typed text', async () => {
    const profile = page.waitForRequest('**/rest/v1/profiles*')
    await page.goto('/checkout')
    await profile
    const email = page.getByLabel('E-mail', { exact: true })
    await email.focus()
    await releaseProfile()
    await expect(page.getByLabel('Full Name')).toHaveValue(angler.name)
    await page.keyboard.type('gift@example.com')
    await expect(email).toHaveValue('gift@example.com')
    await email.clear()
    await email.blur()
    await expect(email).toHaveValue(customer.email)
    await email.fill('gift@example.com')
    await expect(visibleFields(page)).toHaveCount(8)
  })

  await test.step('the checkout keeps the focus in a field while validating the form', async () => {
    await angler.placeOrderButton.click()
    await page.getByLabel('Street Address').pressSequentially('12 Bea')
    await releaseValidation()
    await expect(toast).toBeVisible()
    await page.keyboard.type('ch Road')
    await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  })

  // covers S27
  await test.step('the checkout lists all errors with links to the fields and focuses the first field', async () => {
    await page.getByLabel('Full Name').fill('T')
    await angler.placeOrderButton.click()
    await expect(toast).toBeVisible()
    await expect(page.getByLabel('Full Name')).toBeFocused()
    await expect(summary.getByRole('button').first()).toHaveText('Name must be at least 2 characters')
    await expect(summary).toContainText('Province')
    await summary.getByRole('button', { name: 'Postal code must be at least 4 characters' }).click()
    await expect(page.getByLabel('Postal Code')).toBeFocused()

    await page.getByLabel('Postal Code').fill('ZA-6191')
    await expect(summary).not.toContainText('Postal code')
    await expect(summary).not.toContainText('Province')
    await expect(summary).toContainText('Please specify your nearest locker location')
    await page.getByRole('radio', { name: /Door/ }).check()
    await expect(summary).not.toContainText('locker')
    await expect(visibleFields(page)).toHaveCount(7)
    await page.getByRole('radio', { name: /Locker/ }).check()
  })

  // covers S25 S26 S28 S29 S31 S32
  await test.step('the checkout form accepts South African formats and offers lockers and provinces', async () => {
    const locker = page.getByRole('combobox', { name: 'Nearest Locker Location' })
    await locker.pressSequentially('sand riv')
    await expect(page.getByRole('option', { name: /Sasol Rivonia Uplifted/ })).toBeVisible()
    await locker.press('ArrowDown')
    await locker.press('Enter')
    await expect(locker).toHaveValue('CG54 Sasol Rivonia Uplifted, 375 Rivonia Rd, Rivonia, Sandton, 2191')

    await page.getByLabel('Phone').fill('+27 (0)82 555 0148')
    const province = page.getByLabel('State/Province')
    await expect(province).toHaveValue('Eastern Cape')
    await province.selectOption('Western Cape')
    await page.getByLabel('City').fill('Durban')
    await expect(province).toHaveValue('Western Cape')
    const review = page.getByRole('region', { name: 'Check before you order' })
    await expect(review).toContainText('082 555 0148')
    await expect(review).toContainText('Western Cape 6191')
  })
})

// covers S33 S34 S37
test('typed checkout text survives a reload, and Back or a second tab places no second order', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const { email } = await openCheckout(page, { shop })
  await page.getByRole('radio', { name: /Locker/ }).check()
  await page.getByLabel('Nearest Locker Location').fill('Spar, Kenton-on-Sea')
  await page.getByLabel('Street Address').fill('12 Beach Road')
  await page.reload()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await angler.signOut('/faq')
  await page.goto('/auth?redirect=%2Fcheckout')
  await angler.signIn({ email, password: PASSWORD })
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await expect(page.getByLabel('Nearest Locker Location')).toHaveValue('Spar, Kenton-on-Sea')

  await acceptTerms(page)
  await angler.placeOrder()
  await page.goBack()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  const other = new Angler(await page.context().newPage())
  await other.page.goto('/checkout')
  // The second tab prefills the saved address, but asks for the locker again.
  await expect(other.page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await other.page.getByLabel('Nearest Locker Location').fill('Spar, Kenton-on-Sea')
  // Presses one after the other: WebKit's driver presses in one tab at a time, and a press in the other one is lost.
  const tabs = [angler, other]
  for (const tab of tabs) await acceptTerms(tab.page)
  for (const tab of tabs) await tab.placeOrderButton.click({ noWaitAfter: true })
  await Promise.all(
    tabs.map((tab) => expect(tab.page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()),
  )

  const { data } = await staff
    .from('orders')
    .select('id, status, profiles!inner(email)')
    .eq('profiles.email', email)
    .neq('status', 'cancelled')
  expect(data).toHaveLength(1)
})

// covers S22
test('the checkout line shows a raised price or a sold-out colour with the previous value', async ({
  angler,
  staff,
}) => {
  const { id, name, amberId } = await aLure(staff)
  await angler.choose({ lure: name, colour: 'Amber', hooks: 'Without Hooks', quantity: 3 })
  await staff.from('products').update({ price: 95 }).eq('id', id).throwOnError()
  await staff.from('product_variants').update({ stock_quantity: 2 }).eq('id', amberId).throwOnError()

  const drawer = await angler.openCart()

  await expect(drawer).toContainText('The price changed from R90 to R95.')
  await expect(drawer).toContainText('Only 2 left; you have 3.')
  await drawer.getByRole('button', { name: 'Change to 2' }).click()
  await expect(drawer.getByRole('list', { name: 'Items in your cart' })).toBeFocused()
  await expect(drawer).toContainText('R190.00')
  await staff.from('products').delete().eq('id', id).throwOnError()
})

// covers S22
test('the checkout shows a changed shipping fee or promo code with the new total', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const code = `TIDE-${randomInt(1e9)}`
  const nextCode = `${code}-2`
  await staff.from('promo_codes').insert([
    { code, discount_type: 'fixed', discount_value: 40 },
    { code: nextCode, discount_type: 'fixed', discount_value: 20 },
  ])
  await openCheckout(page, { shop })
  await acceptTerms(page)

  await test.step('the focus follows the promo code', async () => {
    const field = page.getByLabel('Promo Code')
    const remove = page.getByRole('button', { name: 'Remove', exact: true })
    await page.getByRole('button', { name: 'I have a promo code' }).press('Enter')
    await expect(field).toBeFocused()
    await page.keyboard.type(code)
    await page.getByRole('button', { name: 'Apply' }).press('Enter')
    await expect(remove).toBeFocused()
    await remove.press('Enter')
    await expect(field).toBeFocused()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await expect(remove).toBeFocused()
  })
  await expect(angler.placeOrderButton).toContainText('R202.00')

  await staff.from('promo_codes').update({ discount_value: 30 }).eq('code', code)
  await queryDatabase(shop, 'update public.shop_settings set shipping_rate = 80')
  await angler.placeOrderButton.click()

  const changed = page.getByText('The total has changed to R192.00. Please check it and order again.')
  await expect(changed).toBeVisible()
  await expect(angler.figure('Shipping')).toHaveText('R80.00')
  await expect(angler.placeOrderButton).toContainText('R192.00')

  await test.step('a refusal disappears with the total or the promo code that it is about', async () => {
    await page.getByRole('button', { name: 'Edit cart' }).click()
    const cart = page.getByRole('dialog', { name: /Shopping Cart/ })
    await expect(changed).toBeVisible()
    await cart.getByRole('button', { name: 'Increase quantity' }).click()
    await page.keyboard.press('Escape')
    await expect(angler.placeOrderButton).toContainText('R334.00')
    await expect(changed).toHaveCount(0)

    await staff.from('promo_codes').update({ is_active: false }).eq('code', code)
    await angler.placeOrderButton.click()
    const refused = page.getByText("The total above doesn't include it.")
    await expect(refused).toBeVisible()
    await page.getByLabel('Promo Code').fill(nextCode)
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(angler.placeOrderButton).toContainText('R344.00')
    await expect(refused).toHaveCount(0)
  })

  await angler.placeOrder()
  await expect(page.getByRole('heading', { name: 'Pay R344.00' })).toBeVisible()
  await queryDatabase(shop, 'update public.shop_settings set shipping_rate = null')
})

const HOUR_MS = 60 * 60_000
const arrivalFrom = (day: string) => windowText(deliveryWindow(day))

/** Returns the newest day whose orders arrive later than those of the day before, as those of a Sunday do not. */
function newestLaterArrival(day = todayInSouthAfrica(new Date())): string {
  return arrivalFrom(day) === arrivalFrom(addDays(day, -1)) ? newestLaterArrival(addDays(day, -1)) : day
}

test('a lure’s page and a checkout that stay open over midnight count the delivery time from the new day', async ({
  page,
  shop,
}) => {
  const day = newestLaterArrival()
  const lastHour = Date.parse(`${day}T00:00:00+02:00`) - HOUR_MS
  const openBeforeMidnight = async (open: () => Promise<unknown>) => {
    await page.clock.install({ time: lastHour })
    await open()
    await expect(page.getByText(arrivalFrom(addDays(day, -1)))).toBeVisible()
    await page.clock.fastForward(HOUR_MS)
  }

  await test.step('the page of a lure promises later days', async () => {
    await openBeforeMidnight(() => openHydrated(page, '/products/chisel-nose-popper-150'))
    await expect(page.getByText(`With you ${arrivalFrom(day)}`)).toBeVisible()
  })

  await test.step('the checkout promises later days', async () => {
    await openBeforeMidnight(() => openCheckout(page, { shop }))
    await expect(page.getByText(`it should reach you ${arrivalFrom(day)}`)).toBeVisible()
  })
})
