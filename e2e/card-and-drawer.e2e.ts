import type { Locator, Page } from '@playwright/test'
import { POPPER_150, STICK_BAIT } from '#test/product-names.ts'
import { expectNothingObscured } from './fixtures/audit.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const card = (page: Page, lure = POPPER_150) => page.getByRole('article', { name: lure })
const option = (within: Locator, name: string) => within.getByRole('button', { name, exact: true })
const add = (within: Locator) => within.getByRole('button', { name: /^Add to Cart/ })
const quantity = (within: Locator) => within.getByRole('spinbutton', { name: 'Quantity' })

test('a product card describes the lure, asks for missing options and updates the price', async ({
  page,
}) => {
  await page.clock.install()
  await openHydrated(page, '/products')
  const popper = card(page)
  const strip = popper.getByRole('group', { name: /^\d of 6$/ })
  const toast = page.getByRole('alert')

  // covers S2.28 S4.12 S5.3 S5
  await test.step('a product card describes the lure and starts without chosen options', async () => {
    await expect(popper.getByText('R110', { exact: true }).first()).toBeVisible()
    await expect(popper.getByText('Poppers', { exact: true })).toBeVisible()
    await expect(popper.getByRole('heading', { name: POPPER_150 })).toBeVisible()
    await expect(popper.getByText('In stock', { exact: true })).toBeVisible()
    await expect(popper.getByText('Select Variant')).toBeVisible()
    await expect(popper.getByText('Hook Option')).toBeVisible()
    await expect(popper.locator('[aria-pressed="true"]')).toHaveCount(0)
    await expect(quantity(popper)).toHaveValue('1')
    await expect(option(popper, 'Decrease quantity')).toBeDisabled()
    await expect(popper.getByRole('group', { name: '1 of 6' })).toBeVisible()
  })

  // covers S9.11 S5
  await test.step('a product card shows the first picture until the visitor acts', async () => {
    await page.clock.runFor(30_000)

    await expect(popper.getByRole('group', { name: '1 of 6' })).toBeVisible()
  })

  // covers S5.1
  await test.step('a product card shows the specified messages for missing colour and hooks', async () => {
    await add(popper).click()
    await expect(toast).toContainText('Please select a variant')
    await expect(toast).toContainText('You must select a color variant before adding to cart.')
    await popper.getByRole('button', { name: 'Next picture' }).click()
    await expect(popper.locator('[aria-pressed="true"]')).toHaveText(/Blue Reaper/)
    await add(popper).click()
    await expect(toast).toContainText('Please select hook option')
    await expect(toast).toContainText('You must choose with or without hooks before adding to cart.')
  })

  // covers S4.13
  await test.step('a product card’s colours and pictures stay in sync by button, swipe and wheel', async () => {
    await option(popper, 'Slachback 150mm').click()
    await expect(strip).toHaveAccessibleName(/^[3-6] of 6$/)

    const before = await strip.getAttribute('aria-label')
    await strip.hover()
    const [x, y] = await centreOf(strip)
    // Move the pointer onto the strip: a page that scrolls under a resting pointer keeps the wheel events.
    await page.mouse.move(x - 9, y)
    await page.mouse.move(x, y)
    await page.mouse.wheel(0, -120)
    await expect(strip).not.toHaveAccessibleName(before ?? '')

    // A swipe starts with a touch.
    await strip.dispatchEvent('pointerdown')
    await strip.evaluate((row) => row.scrollTo({ left: row.clientWidth * 2, behavior: 'instant' }))
    await expect(strip).toHaveAccessibleName('3 of 6')
    await expect(option(popper, 'Slachback 150mm')).toHaveAttribute('aria-pressed', 'false')
  })

  await test.step('the chosen colour and picture of a product card stay when the window is resized', async () => {
    for (const [colour, shown] of [
      ['Slachback 150mm', 5],
      ['Blue Reaper 150mm', 1],
      ['Mahi Mahi 150mm', 2],
    ] as const) {
      await option(popper, colour).click()
      await expect(strip).toHaveAccessibleName(`${shown + 1} of 6`)
      for (const width of colour === 'Slachback 150mm'
        ? [390, 1440, 760, 1425, 320, 1100, 1440]
        : [390, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(() => restingSlide(strip), `${colour} at ${width} px`).toBe(shown)
        await expect(option(popper, colour)).toHaveAttribute('aria-pressed', 'true')
      }
    }
  })

  // covers S1.2 S2.29 S5.2 S5.4 S9.1
  await test.step('a product card’s price follows the chosen options, and quantity the typed number', async () => {
    await option(popper, 'Without Hooks').click()
    await option(popper, 'Increase quantity').click()
    await expect(add(popper)).toContainText('R220.00')
    await option(popper, 'With Hooks').click()
    await expect(add(popper)).toContainText('R284.00')

    await quantity(popper).fill('0')
    await quantity(popper).blur()
    await expect(quantity(popper)).toHaveValue('2')
    await quantity(popper).fill('')
    await expect(add(popper)).toContainText('R142.00')
    await quantity(popper).blur()
    await expect(quantity(popper)).toHaveValue('1')
  })

  // covers S7
  await test.step('the hooks option shows the surcharge, and the badge shows the chosen price', async () => {
    const stickBait = card(page, STICK_BAIT)
    await expect(stickBait.getByText('+R100', { exact: true })).toBeVisible()
    await expect(option(stickBait, 'Without Hooks')).toHaveText('Without Hooks')
    await expect(stickBait.getByText('from R400', { exact: true })).toBeVisible()
    await option(stickBait, 'With Hooks').click()
    await expect(stickBait.getByText('R500', { exact: true })).toBeVisible()
  })

  // covers S5.2 S18
  await test.step('the quantity field of a card ignores keystrokes that make no positive whole number', async () => {
    await ignoresInvalidKeystrokes(quantity(popper))
    await expect(add(popper)).toContainText('R426.00')
  })
})

async function ignoresInvalidKeystrokes(field: Locator): Promise<void> {
  await field.fill('3')
  await field.blur()
  for (const typed of ['-5', '1e2', 'a', '0', '1.5']) {
    await field.selectText()
    await field.pressSequentially(typed)
    await field.press('Tab')
    await expect(field, `after typing ${typed}`).toHaveValue('3')
  }
  for (const nonsense of ['two', '0', '-1', '1.5']) {
    await field.fill(nonsense)
    await field.press('Enter')
    await expect(field, `after sending ${nonsense}`).toHaveValue('3')
  }
}

/** The index of the fully visible slide; a fraction while the strip rests between two. Fractional widths may shift it by a pixel. */
function restingSlide(strip: Locator): Promise<number> {
  return strip.evaluate((row) => Math.round((row.scrollLeft / row.clientWidth) * 10) / 10)
}

async function centreOf(element: Locator): Promise<[number, number]> {
  const box = await element.boundingBox()
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : [0, 0]
}

test('a visitor’s cart counts and changes lines, survives a reload and leads to the sign-in', async ({
  angler,
}) => {
  const { page } = angler
  await openHydrated(page, '/products')
  const drawer = page.getByRole('dialog', { name: /Shopping Cart/ })
  const line = drawer.getByRole('listitem').filter({ hasText: STICK_BAIT })
  const popper = drawer.getByRole('listitem').filter({ hasText: POPPER_150 })

  // covers S2.18 S2.19 S2.21 S6.2 S21
  await test.step('the cart drawer counts lines, shows each line in full and leads a visitor to the sign-in', async () => {
    await angler.openCart()
    await expect(drawer).toContainText('Shopping Cart (0 items)')
    await expect(drawer).toContainText('Your cart is empty')
    await drawer.getByRole('button', { name: 'Close' }).click()

    await angler.putInCart({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
    await expect(page.getByText(`${POPPER_150} has been added to your cart`)).toBeVisible()
    await angler.putInCart({ lure: STICK_BAIT, colour: 'Red Head', hooks: 'Without Hooks', quantity: 2 })
    await expect(page.getByRole('banner').getByRole('button', { name: 'Cart, 3 items' })).toContainText('3')

    await angler.openCart()
    await expect(drawer).toContainText('Shopping Cart (3 items)')
    for (const text of ['Red Head', 'Without Hooks', 'R800.00']) await expect(line).toContainText(text)
    await expect(line.locator('img')).toBeVisible()
    await expect(drawer).toContainText(/TotalR942\.00/)
    await expect(drawer.getByRole('link', { name: 'Sign In to Checkout' })).toHaveAttribute('href', /^\/auth/)
  })

  // covers S18
  await test.step('the quantity field of the cart drawer ignores keystrokes that make no positive whole number', async () => {
    await popper.getByRole('button', { name: 'Increase quantity' }).click()
    await expect(popper).toContainText('R284.00')
    await popper.getByRole('button', { name: 'Decrease quantity' }).click()
    await expect(popper).toContainText('R142.00')
    await ignoresInvalidKeystrokes(quantity(popper))
    await expect(drawer).toContainText('Shopping Cart (5 items)')
  })

  // covers S4.6 S17
  await test.step('a guest cart survives a reload, and the opened cart drawer gets the focus', async () => {
    await page.reload()
    await angler.openCart()
    await expect.poll(() => drawer.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await expect(drawer).toContainText('Shopping Cart (5 items)')
    await expect(popper).toContainText('R426.00')
  })

  // covers S49
  await test.step('the footer of the cart drawer hides no control that has the focus', async () => {
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 640 })
    await expectNothingObscured(page)
    if (size) await page.setViewportSize(size)
  })

  // covers S8.1 S19
  await test.step('Undo restores a removed cart line and keeps the focus in the drawer', async () => {
    await line
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await expect(page.getByText('Removed from cart')).toBeVisible()
    await expect(page.getByText('Item has been removed from your cart')).toBeVisible()
    await expect(drawer).toContainText('Shopping Cart (3 items)')
    await drawer.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(drawer).toContainText('Shopping Cart (5 items)')
    await expect.poll(() => drawer.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await expect(line).toContainText('R800.00')
  })

  // covers S17
  await test.step('Esc in the quantity field keeps the typed quantity, closes the cart drawer and returns the focus', async () => {
    await quantity(popper).fill('2')
    await page.keyboard.press('Escape')

    await expect(drawer).toBeHidden()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Cart, 4 items' })).toBeFocused()
  })

  await test.step('decreasing the last unit removes the line and empties the cart', async () => {
    await angler.openCart()
    await line
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    const stepper = popper.getByRole('group')
    await expect(popper).toContainText('R284.00')
    await stepper.getByRole('button', { name: 'Decrease quantity' }).click()
    await expect(popper).toContainText('R142.00')
    await stepper.getByRole('button', { name: /^Remove/ }).click()
    await expect(drawer).toContainText('Your cart is empty')
  })
})

test('a chosen colour stays chosen when a slow device stalls during scrolling', async ({ page }) => {
  await page.addInitScript(() => {
    // Stall the smooth scroll at the first colour, as on a busy phone.
    // oxlint-disable-next-line typescript/unbound-method -- `call` passes its element below
    const scrollTo: (options: ScrollToOptions) => void = Element.prototype.scrollTo
    const stallingScrollTo = function (this: Element, options: ScrollToOptions) {
      if (options.behavior !== 'smooth') return scrollTo.call(this, options)
      scrollTo.call(this, { left: this.clientWidth, behavior: 'instant' })
      setTimeout(() => scrollTo.call(this, { ...options, behavior: 'instant' }), 400)
    }
    Object.defineProperty(Element.prototype, 'scrollTo', { value: stallingScrollTo })
  })
  await page.goto('/products')

  const chosen: string[] = []
  await page.exposeFunction('wasChosen', (colour: string) => chosen.push(colour))
  await card(page).evaluate((article) => {
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLElement) || target.getAttribute('aria-pressed') !== 'true') continue
        Reflect.get(window, 'wasChosen')(target.textContent)
      }
    })
    observer.observe(article, { subtree: true, attributeFilter: ['aria-pressed'] })
  })

  await option(card(page), 'Slachback 150mm').click()

  await expect(card(page).getByRole('group', { name: '6 of 6' })).toBeVisible()
  expect(chosen).toEqual(['Slachback 150mm'])
})
