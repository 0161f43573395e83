import type { Locator, Page } from '@playwright/test'
import { type Angler, PASSWORD } from './fixtures/angler.ts'
import { POPPER_200 } from '#test/product-names.ts'
import { expectToFit, expectUsable } from './fixtures/audit.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'

test.use({ hasPictures: true })

const LURE = '/products/chisel-nose-popper-200/blue-reaper'

/** Presses Tab until the target has the focus, as a person without a pointer does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('sixty tabs did not lead there')
}

async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('main').getByLabel(label, { exact: true }).filter({ visible: true })
  await tabTo(page, field)
  await page.keyboard.insertText(text)
}

// covers S49
test('a customer buys a lure by keyboard only', async ({ angler }) => {
  const { page } = angler
  await openHydrated(page, LURE)
  await tabTo(page, page.getByRole('button', { name: 'With Hooks' }))
  await page.keyboard.press('Space')
  await tabTo(
    page,
    page
      .getByRole('main')
      .getByRole('button', { name: /^Add to Cart/ })
      .first(),
  )
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
  await openHydrated(page, '/auth?redirect=%2Fcheckout')
  await tabTo(page, page.getByRole('tab', { name: 'Login' }))
  await page.keyboard.press('ArrowRight')
  await type(page, 'Full Name', angler.name)
  await type(page, 'E-mail', angler.email)
  await type(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  await expect(page.getByLabel('Full Name')).toHaveValue(angler.name)

  // It loads with the first field, and not when the city is typed: an order sent before would lack the province.
  const guess = page.waitForRequest('**/assets/province-guess-*')
  await type(page, 'Phone', angler.phone)
  await guess
  await type(page, 'Nearest Locker Location', 'Spar, Kenton-on-Sea')
  await type(page, 'Street Address', '12 Beach Road')
  await type(page, 'City', 'Kenton-on-Sea')
  await type(page, 'Postal Code', '6191')
  await expect(page.getByLabel('State/Province')).toHaveValue('Eastern Cape')
  await tabTo(page, page.getByRole('checkbox', { name: /I accept/ }))
  await page.keyboard.press('Space')
  await tabTo(page, angler.placeOrderButton)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: /^Pay R304/ })).toBeVisible()
})

// covers S48
test(
  'filters, lure page and dialogs are accessible, fit 320 px and work in forced colours',
  { tag: '@long' },
  async ({ page }) => {
    await test.step('the filters and the lure’s dialogs pass the accessibility audit', async () => {
      await openHydrated(page, '/products?type=Stick+Baits&price=150')
      await expectUsable(page)
      await expectToFit(page)
      await openHydrated(page, LURE)
      await expectToFit(page)
      await page.getByRole('link', { name: /^Zoom: Blue Reaper/ }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectUsable(page)
      await page.keyboard.press('Escape')
      await page.getByRole('main').getByRole('link', { name: 'Size guide' }).click()
      await expect(page.getByRole('dialog', { name: 'Size Guide' })).toBeVisible()
      await expectUsable(page)
      await page.keyboard.press('Escape')
    })

    // covers S49
    await test.step('chosen options look different from other options in forced colours', async () => {
      await page.emulateMedia({ forcedColors: 'active' })
      await page.getByRole('button', { name: 'With Hooks' }).click()
      await expectHighlighted(page.getByRole('button', { name: 'With Hooks' }))
      await openHydrated(page, '/auth')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await expectHighlighted(page.getByRole('tab', { name: 'Sign Up' }))
      const box = page.getByRole('checkbox', { name: /^Yes, e-mail me/ }).first()
      const unticked = await box.screenshot()
      await box.check()
      expect(unticked.equals(await box.screenshot())).toBe(false)
    })
  },
)

/** Expects the system colours for selected items. */
async function expectHighlighted(control: Locator): Promise<void> {
  // The press is rendered later, and the colour may transition.
  await expect(async () => {
    const [actual, expected] = await control.evaluate((element) => {
      const sample = document.createElement('p')
      sample.style.cssText = 'forced-color-adjust: none; background: Highlight; color: HighlightText'
      document.body.append(sample)
      const colours = [element, sample].map((one) => {
        const { backgroundColor, color } = getComputedStyle(one)
        return { backgroundColor, color }
      })
      sample.remove()
      return colours
    })
    expect(actual).toEqual(expected)
  }).toPass({ timeout: 10_000 })
}

// covers S48 S52
test(
  'cart, checkout and payment are accessible and fit 320 px',
  { tag: '@long' },
  async ({ angler, context, staff }) => {
    const { page } = angler
    await page.goto('/products?type=Poppers')
    await angler.putInCart({ lure: POPPER_200, colour: 'Blue Reaper 200mm' })

    await test.step('a checkout with errors is accessible and fits 320 px with spaced text', () =>
      expectInvalidCheckout(angler))
    // covers S58
    await test.step('Place Order shows a message while offline, and the next attempt places the order', async () => {
      await angler.fillDelivery()
      await expectUsable(page)
      await context.setOffline(true)
      await angler.placeOrderButton.click()
      await expect(
        page.getByRole('alert').filter({ hasText: "You're offline, so nothing was ordered." }),
      ).toBeVisible()
      const orders = () =>
        staff.from('orders').select('id, profiles!inner(email)').eq('profiles.email', angler.email)
      expect((await orders()).data).toEqual([])
      await context.setOffline(false)
      await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
      await angler.placeOrder()
      expect((await orders()).data).toHaveLength(1)
    })
    await test.step('the payment and success pages are accessible', async () => {
      await expectUsable(page)
      await angler.pay()
      await expectUsable(page)
    })
  },
)

/** Goes from a catalogue page to the checkout and sends the empty form. */
async function expectInvalidCheckout(angler: Angler): Promise<void> {
  const { page } = angler
  await expectToFit(page)
  const drawer = await angler.openCart()
  await expectUsable(page)
  await drawer.getByRole('link', { name: 'Sign In to Checkout' }).click()
  await angler.signUp()
  await expect(page.getByLabel('Full Name')).toHaveValue(angler.name)
  await angler.placeOrderButton.click()
  await page.getByLabel('Nearest Locker Location').pressSequentially('sandton')
  await expect(page.getByRole('option', { name: /Rivonia/ })).toBeVisible()
  await expectUsable(page)
  await expectToFit(page)
}
