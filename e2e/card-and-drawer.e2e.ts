import type { Locator, Page } from '@playwright/test'
import { POPPER_150, STICK_BAIT } from './fixtures/angler.ts'
import { expect, test } from './fixtures/journey.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const card = (page: Page, lure = POPPER_150) => page.getByRole('article', { name: lure })
const option = (within: Locator, name: string) => within.getByRole('button', { name, exact: true })
const add = (within: Locator) => within.getByRole('button', { name: /^Add to Cart/ })
const quantity = (within: Locator) => within.getByRole('spinbutton', { name: 'Quantity' })

async function openRange(page: Page): Promise<Locator> {
  await page.goto('/products', { waitUntil: 'networkidle' })
  return card(page)
}

test('a card begins with nothing chosen, and says what it is', async ({ page }) => {
  const popper = await openRange(page)

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

test('a card stays at its first picture until somebody asks', async ({ page }) => {
  await page.clock.install()
  const popper = await openRange(page)

  await page.clock.runFor(30_000)

  await expect(popper.getByRole('group', { name: '1 of 6' })).toBeVisible()
})

test('colour and hooks are asked for in the specified words', async ({ page }) => {
  const popper = await openRange(page)
  const toast = page.getByRole('alert')

  await add(popper).click()
  await expect(toast).toContainText('Please select a variant')
  await expect(toast).toContainText('You must select a color variant before adding to cart.')
  await option(popper, 'Mahi Mahi 150mm').click()
  await add(popper).click()
  await expect(toast).toContainText('Please select hook option')
  await expect(toast).toContainText('You must choose with or without hooks before adding to cart.')
})

test('price and quantity follow what is chosen and typed', async ({ page }) => {
  const popper = await openRange(page)
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

test('every quantity field ignores keystrokes that make no whole number from 1 up', async ({ angler }) => {
  const { page } = angler
  const popper = await openRange(page)
  await ignoresInvalidKeystrokes(quantity(popper))
  await expect(add(popper)).toContainText('R330.00')

  await page.goto('/products/chisel-nose-popper-150/mahi-mahi', { waitUntil: 'networkidle' })
  await ignoresInvalidKeystrokes(quantity(page.getByRole('main')))
  await option(page.getByRole('main'), 'With Hooks').click()
  await add(page.getByRole('main')).click()

  const drawer = await angler.openCart()
  await ignoresInvalidKeystrokes(quantity(drawer))
  await expect(drawer).toContainText('Shopping Cart (3 items)')
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
}

test('colours and pictures follow each other, by button, swipe and wheel', async ({ page }) => {
  const popper = await openRange(page)
  const strip = popper.getByRole('group', { name: /^\d of 6$/ })
  await popper.getByRole('button', { name: 'Next picture' }).click()
  await expect(popper.locator('[aria-pressed="true"]')).toHaveText(/Blue Reaper/)

  await option(popper, 'Slachback 150mm').click()
  await expect(strip).toHaveAccessibleName(/^[3-6] of 6$/)

  const before = await strip.getAttribute('aria-label')
  await strip.hover()
  const [x, y] = await centreOf(strip)
  // The pointer itself must move on it: a page that scrolls under a resting one takes the wheel.
  await page.mouse.move(x - 9, y)
  await page.mouse.move(x, y)
  await page.mouse.wheel(0, -120)
  await expect(strip).not.toHaveAccessibleName(before ?? '')

  // A swipe begins with a finger.
  await strip.dispatchEvent('pointerdown')
  await strip.evaluate((row) => row.scrollTo({ left: row.clientWidth * 2, behavior: 'instant' }))
  await expect(strip).toHaveAccessibleName('3 of 6')
  await expect(option(popper, 'Slachback 150mm')).toHaveAttribute('aria-pressed', 'false')
})

test('a colour stays chosen, and its picture in sight, when the window changes its size', async ({
  page,
}) => {
  const popper = await openRange(page)
  const strip = popper.getByRole('group', { name: /^\d of 6$/ })
  for (const [colour, shown] of [
    ['Slachback 150mm', 5],
    ['Blue Reaper 150mm', 1],
    ['Mahi Mahi 150mm', 2],
  ] as const) {
    await option(popper, colour).click()
    await expect(strip).toHaveAccessibleName(`${shown + 1} of 6`)
    for (const width of [390, 1440, 760, 1425, 320, 1100, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => restingSlide(strip), `${colour} at ${width} px`).toBe(shown)
      await expect(option(popper, colour)).toHaveAttribute('aria-pressed', 'true')
    }
  }
})

/** The slide that the row shows whole; a fraction while it stands between two. */
function restingSlide(strip: Locator): Promise<number> {
  return strip.evaluate((row) => Math.round((row.scrollLeft / row.clientWidth) * 100) / 100)
}

async function centreOf(element: Locator): Promise<[number, number]> {
  const box = await element.boundingBox()
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : [0, 0]
}

test('the drawer counts, shows each line whole, and leads a visitor to the sign-in', async ({ angler }) => {
  const { page } = angler
  await page.goto('/products', { waitUntil: 'networkidle' })
  const empty = await angler.openCart()
  await expect(empty).toContainText('Shopping Cart (0 items)')
  await expect(empty).toContainText('Your cart is empty')

  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  await expect(page.getByText(`${POPPER_150} has been added to your cart`)).toBeVisible()
  await angler.choose({ lure: STICK_BAIT, colour: 'Red Head', hooks: 'Without Hooks', quantity: 2 })
  await expect(page.getByRole('banner').getByRole('button', { name: 'Cart, 3 items' })).toContainText('3')

  const drawer = await angler.openCart()
  await expect(drawer).toContainText('Shopping Cart (3 items)')
  const line = drawer.getByRole('listitem').filter({ hasText: STICK_BAIT })
  for (const text of ['Red Head', 'Without Hooks', 'R800.00']) await expect(line).toContainText(text)
  await expect(line.locator('img')).toBeVisible()
  await expect(drawer).toContainText(/TotalR942\.00/)
  await expect(drawer.getByRole('link', { name: 'Sign In to Checkout' })).toHaveAttribute('href', /^\/auth/)

  const popper = drawer.getByRole('listitem').filter({ hasText: POPPER_150 })
  await popper.getByRole('button', { name: 'Increase quantity' }).click()
  await expect(popper).toContainText('R284.00')
  await popper.getByRole('button', { name: 'Decrease quantity' }).click()
  await expect(popper).toContainText('R142.00')
  await line
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await expect(page.getByText('Removed from cart')).toBeVisible()
  await expect(page.getByText('Item has been removed from your cart')).toBeVisible()
  await expect(drawer).toContainText('Shopping Cart (1 items)')
  await popper
    .getByRole('group')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(drawer).toContainText('Your cart is empty')
})

test('a cart on the server says when it loads, when it does not, and what was not kept', async ({
  angler,
}) => {
  const { page } = angler
  await page.goto('/auth')
  await angler.signUp()
  const isKept = page.waitForResponse(
    (answer) => answer.url().includes('cart_items') && answer.request().method() === 'POST',
  )
  await angler.choose({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
  await isKept
  const drawer = await angler.openCart()
  await expect(drawer.getByRole('link', { name: 'Proceed to Checkout' })).toHaveAttribute('href', '/checkout')
  const alert = page.getByRole('alert')
  const items = '**/rest/v1/cart_items*'
  const line = drawer.getByRole('listitem')

  await page.route(items, (route) => route.fulfill({ status: 503, json: { message: 'down' } }))
  await line.getByRole('button', { name: 'Increase quantity' }).click()
  await expect(alert).toContainText('Failed to update quantity')
  await line
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await expect(alert).toContainText('Failed to remove item')
  await drawer.getByRole('button', { name: 'Close' }).click()
  await option(card(page), 'Slachback 150mm').click()
  await option(card(page), 'With Hooks').click()
  await add(card(page)).click()
  await expect(alert).toContainText('Failed to add item to cart')

  await page.reload()
  await expect(alert).toContainText('Error loading cart')
  await expect(alert).toContainText('Failed to load your cart items')

  await page.unroute(items)
  const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>()
  await page.route(items, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  const again = await angler.openCart()
  await expect(again).toContainText('Loading cart...')
  letGo(undefined)
  await expect(again.getByRole('listitem')).toContainText('Mahi Mahi 150mm')
})

test('a colour stays chosen when a slow device pauses in the middle of the way to its picture', async ({
  page,
}) => {
  await page.addInitScript(() => {
    // A glide that stalls at the first colour, as it does while a phone is busy.
    // oxlint-disable-next-line typescript/unbound-method -- it gets its element below
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
        Reflect.get(window, 'wasChosen')(target.innerText)
      }
    })
    observer.observe(article, { subtree: true, attributeFilter: ['aria-pressed'] })
  })

  await option(card(page), 'Slachback 150mm').click()

  await expect(card(page).getByRole('group', { name: '6 of 6' })).toBeVisible()
  expect(chosen).toEqual(['Slachback 150mm'])
})
