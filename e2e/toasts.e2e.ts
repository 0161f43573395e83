import { aLure } from './fixtures/lure.ts'
import { type Angler } from './fixtures/angler.ts'
import { POPPER_150, POPPER_200, STICK_BAIT } from '#test/product-names.ts'
import { expectNothingCovered, expectToastInSight, toasts } from './fixtures/geometry.ts'
import { keepToasts } from './fixtures/keep-toasts.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { openHydrated, waitForHydration } from './fixtures/hydration.ts'

test('toasts are visible and cover no control on a phone', async ({ angler }) => {
  const { page } = angler
  await page.setViewportSize({ width: 390, height: 844 })
  await walkThroughToasts(angler)

  await test.step('a compact toast fits between the header and the colours of a card in the middle of the screen', async () => {
    await page.goto('/products')
    await angler.putInCart({ lure: STICK_BAIT, colour: 'Blue Reaper' })
    await page
      .getByRole('article', { name: STICK_BAIT })
      .getByRole('button', { name: /Add to Cart/ })
      .evaluate((button) => button.scrollIntoView({ block: 'center', behavior: 'instant' }))
    await expectNothingCovered(page)
  })
})

test('toasts are visible and cover no control on a desktop', { tag: '@long' }, async ({ angler }) => {
  const { page } = angler
  await walkThroughToasts(angler)

  await test.step('a toast appears even if the pointer rests on the toast’s corner', async () => {
    await page.reload()
    await waitForHydration(page)
    await page.mouse.move(60, 40)

    await page.getByRole('button', { name: 'Send Message' }).press('Enter')

    await expect(toasts(page).getByRole('alert')).toHaveCount(4)
    await expect(toasts(page)).toHaveCSS('opacity', '1')
    await expectToastInSight(page)
  })

  await test.step('a control under a toast receives a press when no space is free', async () => {
    // A wall of buttons leaves no gap.
    await page.evaluate(() => {
      const wall = document.createElement('div')
      wall.style.cssText = 'position:fixed;inset:0;display:grid;grid:repeat(18,1fr)/repeat(8,1fr);z-index:99'
      for (let at = 0; at < 144; at += 1) {
        const brick = document.createElement('button')
        brick.addEventListener('click', () => (wall.dataset.pressed = 'true'))
        wall.append(brick)
      }
      document.body.append(wall)
    })
    await page.mouse.move(720, 450)
    await expect(toasts(page)).toHaveAttribute('data-over')

    const box = await toasts(page).boundingBox()
    await page.mouse.click((box?.x ?? 0) + 60, (box?.y ?? 0) + 20)

    await expect(page.locator('[data-pressed]')).toBeAttached()
  })
})

/** Leaves the contact page open. */
async function walkThroughToasts(angler: Angler): Promise<void> {
  const { page } = angler
  await page.goto('/products')

  await test.step('the toast after Add to Cart without a colour is visible and covers nothing', async () => {
    await waitForHydration(page)
    await page.getByRole('article', { name: POPPER_200 }).getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByText('Please select a variant')).toBeVisible()
    await expectToastInSight(page)
    await expectNothingCovered(page)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(toasts(page).getByRole('alert')).toHaveCount(0)
  })

  await test.step('toasts about stock and the cart cover no control', async () => {
    await angler.putInCart({ lure: STICK_BAIT, colour: 'Blue Reaper' })
    await expectToastInSight(page)
    await expectNothingCovered(page)
    await angler.putInCart({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
    await expectNothingCovered(page)

    const drawer = await angler.openCart()
    await expectNothingCovered(page)
    await drawer
      .getByRole('button', { name: /^Remove .*Blue Reaper/ })
      .last()
      .click()
    await expect(page.getByText('Removed from cart')).toBeVisible()
    await expectToastInSight(page)
    await expectNothingCovered(page)

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(drawer.getByText('Blue Reaper').first()).toBeVisible()
  })

  // covers S5.16
  await test.step('four toasts of one press cover no control, are readable and leave the focused field free', async () => {
    await openHydrated(page, '/contact')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expectToastInSight(page)
    await expectNothingCovered(page)
    for (const label of ['Name', 'E-mail', 'Subject', 'Message']) {
      await page.getByRole('main').getByLabel(label, { exact: true }).focus()
      await expectNothingCovered(page)
    }

    const more = page.getByRole('button', { name: '3 more' })
    await more.click()
    const messages = toasts(page).getByRole('alert')
    await expect(messages.nth(3).getByRole('button', { name: 'Dismiss' })).toBeInViewport({ ratio: 1 })
    await expect(messages.nth(0)).toBeInViewport({ ratio: 1 })

    await page.getByRole('main').getByLabel('Message', { exact: true }).click()
    await expect(more).toBeVisible()
    await expectNothingCovered(page)
  })
}

test.describe('on phones of several widths', () => {
  test.use({ hasTouch: true })

  test(
    'four toasts cover no control at any scroll position',
    { tag: '@long' },
    async ({ page, browserName }) => {
      const button = page.getByRole('button', { name: 'Send Message' })
      // Only Chromium's driver can tap: in the others, a tap presses nothing.
      const press = () => (browserName === 'chromium' ? button.tap() : button.click())
      for (const width of [320, 360, 412, 447]) {
        await page.setViewportSize({ width, height: 844 })
        await openHydrated(page, '/contact')
        for (const top of [120, 260, 400, 540]) {
          await press()
          await expect(toasts(page).getByRole('alert')).toHaveCount(4)
          await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top)
          await expectNothingCovered(page)
          await expectToastInSight(page)
        }
      }
    },
  )
})

test(
  'toasts of the admin area cover no list button, bulk bar or last card',
  { tag: '@long' },
  async ({ brother, staff }) => {
    const lure = await aLure(staff)
    const { page } = brother
    await page.setViewportSize({ width: 1440, height: 700 })
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page
      .getByRole('checkbox', { name: /^Select / })
      .last()
      .check()
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Put on sale' }).click()
    await expect(toasts(page).locator('> *').first()).toBeVisible()
    await expectToastInSight(page)
    await expectNothingCovered(page)
    await staff.from('products').delete().eq('id', lure.id)
  },
)

test('toasts leave the corner once the code that positions them has loaded, and stay while one is pressed', async ({
  page,
}) => {
  const positioning = '**/assets/position-toasts-*'
  await page.clock.install()
  await keepToasts(page)
  await intercept(page, positioning, (route) => route.abort())
  await page.setViewportSize({ width: 390, height: 844 })
  await openHydrated(page, '/contact')
  const send = page.getByRole('button', { name: 'Send Message' })

  await send.click()
  await expect(toasts(page)).toHaveAttribute('style', /right: 16px/)
  await page.unroute(positioning)
  await send.click()

  await expect.poll(() => toasts(page).evaluate(({ style }) => style.left)).not.toBe('')
  await expectToastInSight(page)
  await expectNothingCovered(page)

  await test.step('a toast that is pressed does not make way for a button', async () => {
    const place = await toasts(page).boundingBox()
    const [x, y] = [(place?.x ?? 0) + 40, (place?.y ?? 0) + 20]
    await page.mouse.move(x, y)
    await page.reload()
    await waitForHydration(page)
    await send.press('Enter')
    await expect.poll(() => toasts(page).boundingBox()).toEqual(place)
    // Under a pointer that has not moved since, as under a finger.
    await page.mouse.down()
    await page.evaluate(
      ([left, top]) => {
        const button = document.createElement('button')
        button.style.cssText = `position:fixed;left:${left}px;top:${top}px;width:80px;height:40px`
        document.body.append(button)
      },
      [x, y],
    )
    await page.clock.runFor(1_000)
    expect(await toasts(page).boundingBox()).toEqual(place)

    await page.mouse.up()
    await page.clock.runFor(1_000)
    expect(await toasts(page).boundingBox()).not.toEqual(place)
  })
})
