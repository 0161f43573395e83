import type { Locator } from '@playwright/test'
import { deliveryDates } from '#domain/delivery-promise.ts'
import { todayInSouthAfrica } from '#domain/today.ts'
import { POPPER_150 } from '#test/product-names.ts'
import { partsWiderThan } from './fixtures/audit.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'

test.use({ hasPictures: true })

const POPPER = '/products/chisel-nose-popper-150'

test('a lure’s page zooms each colour’s picture and adds the chosen colour to the cart', async ({ page }) => {
  await openHydrated(page, `${POPPER}/blue-reaper`)

  // covers S9 S10
  await test.step('a picture zooms by tap and by keyboard, and the size guide opens over the page', async () => {
    const zoomed = page.getByRole('link', { name: /^Zoom: Blue Reaper/ })
    await zoomed.click()
    const picture = page.getByRole('dialog').getByRole('img')
    const whole = await widthOf(picture)

    await picture.click()
    await expect.poll(() => widthOf(picture)).toBeGreaterThan(whole * 1.5)
    const closeUp = await widthOf(picture)
    await page.keyboard.press('+')
    await expect.poll(() => widthOf(picture)).toBeGreaterThan(closeUp)
    await page.keyboard.press('0')
    await page.keyboard.press('ArrowRight')
    await expect(
      page.getByRole('dialog', { name: POPPER_150 }).getByRole('img', { name: /Red Head/ }),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(zoomed).toBeFocused()

    const guideLink = page.getByRole('main').getByRole('link', { name: 'Size guide' })
    await guideLink.click()
    const guide = page.getByRole('dialog', { name: 'Size Guide' })
    await expect(guide.getByRole('row', { name: /Chisel Nose Popper 150mm/ })).toContainText('150mm')
    await expect(page).toHaveURL(`${POPPER}/blue-reaper`)
    // A selection of text that ends beside the dialog.
    await guide.getByRole('cell').first().hover()
    await page.mouse.down()
    await page.mouse.move(5, 300)
    await page.mouse.up()
    await afterTwoFrames(page)
    await expect(guide).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(guide).toBeHidden()
    await expect(guideLink).toBeFocused()
  })

  await test.step('a newly chosen colour is added to the cart even if the colour’s page is loading', async () => {
    const releaseResponse = await holdResponses(page, '**/*.data*')
    await page.getByRole('button', { name: 'Without Hooks' }).click()
    const colours = page.getByRole('navigation', { name: 'Colours' })
    await colours.getByRole('link', { name: 'Slachback 150mm' }).click()
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    await releaseResponse()

    await expect(page).toHaveURL(`${POPPER}/slachback`)
    // The URL changes before the page does, which closes an open cart.
    await expect(page).toHaveTitle(/Slachback/)
    await expect(colours).toContainText('Colour: Slachback 150mm')
    await page.getByRole('button', { name: 'Cart, 1 item' }).click()
    await expect(page.getByRole('dialog').getByText('Slachback 150mm')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('a colour that gets no answer names the connection, and opens at the next attempt', async () => {
    await intercept(page, '**/*.data*', (route) => route.abort())
    await page
      .getByRole('navigation', { name: 'Colours' })
      .getByRole('link', { name: 'Redhead 150mm' })
      .click()
    await expect(page.getByText('We couldn’t reach the shop. Check your connection')).toBeVisible()
    await expect(page.getByText('Something went wrong on our side')).toHaveCount(0)
    await page.unroute('**/*.data*')
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByText('Colour: Redhead 150mm')).toBeVisible()
    await page.goto(`${POPPER}/slachback`)
  })

  // covers S1 S7 S11 S12 S13
  await test.step('each colour has a URL with the hooks option, and the page shows delivery and returns', async () => {
    await page
      .getByRole('navigation', { name: 'Colours' })
      .getByRole('link', { name: 'Redhead 150mm' })
      .click()
    await expect(page).toHaveURL(`${POPPER}/red-head`)
    await page.reload()

    await expect(page.getByText('Colour: Redhead 150mm')).toBeVisible()
    await expect(page.getByRole('button', { name: 'With Hooks' })).toContainText('+R32')
    await expect(
      page.getByText(`With you ${deliveryDates(todayInSouthAfrica(new Date())).onShelf}`),
    ).toBeVisible()
    await expect(page.getByText(/7 days to change your mind, 30 to send it back/)).toBeVisible()
    const specs = page.getByRole('table', { name: 'Specifications' })
    for (const measure of ['Length', 'Weight', 'Recommended hook', 'Action', 'Target species']) {
      await expect(specs.getByRole('rowheader', { name: measure })).toBeVisible()
    }
    await expect(page.getByRole('link', { name: 'WhatsApp' }).first()).toHaveAttribute(
      'href',
      new RegExp(encodeURIComponent(`${POPPER}/red-head`)),
    )
  })
})

test('a long word in the name of a lure is broken, and widens neither its page nor its cards', async ({
  page,
  staff,
}) => {
  const { id, slug } = await aLure(staff)
  const name = 'Unbelievablylongwordedlurename of the sea'
  await staff.from('products').update({ name, position: 0 }).eq('id', id).throwOnError()

  for (const address of [`/products/${slug}`, `${POPPER}/blue-reaper`, '/products']) {
    await openHydrated(page, address)
    await expect(page.getByRole('main').getByText(name).first()).toBeVisible()
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 })
      // WebKit lays the page out again some time after it has resized the window.
      await expect.poll(() => partsWiderThan(page, width), `${address} at ${width} px`).toEqual([])
    }
  }
  // Other journeys count the lures of the shop.
  await staff.from('products').delete().eq('id', id).throwOnError()
})

async function widthOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.width ?? 0
}
