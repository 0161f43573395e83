import type { Page } from '@playwright/test'
import { POPPER_150, POPPER_200, STICK_BAIT } from '#test/product-names.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdAnswer } from './fixtures/hold-answer.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'

const POPPER = '/products/chisel-nose-popper-150'

// covers S8 S12
test('an open lure page updates the stock and offers a stock alert for a sold-out colour', async ({
  page,
  staff,
}) => {
  const pink = { slug: 'pink-stinger', product: 'chisel-nose-popper-200' }
  const { data } = await staff
    .from('product_variants')
    .select('id, stock_quantity, products!inner(slug)')
    .eq('slug', pink.slug)
    .eq('products.slug', pink.product)
    .single()
    .throwOnError()
  const setStock = (stock_quantity: number) =>
    staff.from('product_variants').update({ stock_quantity }).eq('id', data.id)
  await openHydrated(page, `/products/${pink.product}/${pink.slug}`)
  await expect(page.getByText('In stock')).toBeVisible()
  await expect(page.getByText(/^With you/)).toBeVisible()

  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const release = await holdAnswer(page, '/product_availability', look)
  await setStock(0)
  await look()

  const colours = page.getByRole('navigation', { name: 'Colours' })
  await expect(colours.getByRole('link', { name: /Pink Stinger/ })).toContainText('Sold out')
  await expect(page.getByRole('button', { name: 'Sold out' })).toBeDisabled()
  await expect(page.getByText(/^With you/)).toBeHidden()
  // An answer from before does not put it on sale again.
  await release()
  await afterTwoFrames(page)
  await expect(page.getByRole('button', { name: 'Sold out' })).toBeDisabled()
  await page.getByRole('button', { name: 'Tell me when it is back' }).click()
  await page.getByLabel('E-mail', { exact: true }).fill('sipho@example.com')
  await page.getByRole('button', { name: 'Tell me', exact: true }).click()
  await expect(page.getByText(/We'll e-mail you once/)).toBeVisible()
  const { data: alerts } = await staff.from('stock_alerts').select('email').eq('variant_id', data.id)
  expect(alerts).toEqual([{ email: 'sipho@example.com' }])
  await setStock(data?.stock_quantity ?? 10)
})

// covers S15
test('the bar with Add to Cart stays visible on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await reportViewChangesTogether(page)
  await openHydrated(page, POPPER)
  const bar = page.getByRole('group', { name: 'Buy' })
  const colours = page.getByRole('navigation', { name: 'Colours' })
  const more = page.getByRole('heading', { name: 'More lures' })

  await test.step('Add to Cart without a colour scrolls to the colours on desktop and phone', async () => {
    await more.scrollIntoViewIfNeeded()

    await bar.getByRole('button', { name: /^Add to Cart/ }).click()

    await expect(page.getByRole('alert')).toContainText('Please select a variant')
    await expect(colours.getByRole('link').first()).toBeFocused()
    await expect(colours).toBeInViewport()
    await page.getByRole('button', { name: 'Dismiss' }).click()
  })

  await test.step('the Add to Cart bar covers no focused element and adds the lure to the cart', async () => {
    await colours.getByRole('link', { name: 'Blue Reaper 150mm' }).click()
    await expect(page).toHaveURL(`${POPPER}/blue-reaper`)
    await page.getByRole('button', { name: 'Without Hooks' }).click()
    await more.scrollIntoViewIfNeeded()
    await expect(bar).toBeVisible()
    await colours.getByRole('link').first().focus()
    for (let stop = 0; stop < 14; stop += 1) {
      await page.keyboard.press('Tab')
      expect(await isCovered(page), `stop ${stop}`).toBe(false)
    }
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await bar.getByRole('button', { name: /^Add to Cart/ }).click()
    await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
  })
})

// covers S4
test('the URL contains the catalogue filters, and Back restores filters and scroll position', async ({
  page,
}) => {
  await openHydrated(page, '/products')
  await page.getByText('Filter', { exact: true }).click()
  await page.getByLabel('Type').focus()
  await page.getByLabel('Type').selectOption('Poppers')
  await expect(page).toHaveURL('/products?type=Poppers')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByLabel('Type')).toBeFocused()
  const second = page.getByRole('article', { name: 'Chisel Nose Popper 200mm/50G' })
  const name = second.getByRole('heading').getByRole('link')
  await page.setViewportSize({ width: 390, height: 700 })
  await name.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  expect(before).toBeGreaterThan(300)

  await name.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('200mm/50G')
  await page.goBack()

  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByLabel('Type')).toHaveValue('Poppers')
  await expect.poll(() => page.evaluate(() => scrollY)).toBeCloseTo(before, -2)

  await page.getByLabel('Length').selectOption('150')
  await page.getByLabel('Weight').selectOption('150 g')
  await expect(page.getByText('Nothing matches all of that. Here is the whole range:')).toBeVisible()
  // Other journeys may have added lures to the catalogue.
  for (const lure of [STICK_BAIT, POPPER_150, POPPER_200]) {
    await expect(page.getByRole('article', { name: lure })).toBeVisible()
  }
  const clear = page.getByRole('link', { name: 'Clear filter' })
  await clear.click()
  await expect(page).toHaveURL('/products')
  await expect(clear).toHaveCount(0)

  await test.step('a choice made while the cleared catalogue loads does not bring back the cleared filters', async () => {
    await page.getByLabel('Type').selectOption('Poppers')
    await expect(page).toHaveURL('/products?type=Poppers')
    const release = await holdResponses(page, '**/products.data*')
    await clear.click()
    await page.getByLabel('Length').selectOption('150')
    await release()
    await expect(page).toHaveURL('/products?length=150')
    await expect(page.getByLabel('Type')).toHaveValue('')
    await clear.click()
    await expect(page).toHaveURL('/products')
    await page.unroute('**/products.data*')
  })

  await test.step('the filter stays open and keeps the focus when its only choice is taken back', async () => {
    await page.getByLabel('Type').selectOption('Poppers')
    await expect(page).toHaveURL('/products?type=Poppers')
    await page.getByLabel('Type').focus()
    await page.getByLabel('Type').selectOption('Any')
    await expect(page).toHaveURL('/products')
    await expect(page.getByRole('article', { name: STICK_BAIT })).toBeVisible()
    await expect(page.getByLabel('Type')).toBeFocused()
  })
})

/** Whether other elements cover the focused one at its top, middle and bottom. */
function isCovered(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const focused = document.activeElement
    if (!focused) return false
    const { left, top, bottom, width } = focused.getBoundingClientRect()
    // Firefox does not scroll to the rest of a tall element of which some is in view.
    return [top + 4, (top + bottom) / 2, bottom - 4].every((height) => {
      const onTop = document.elementFromPoint(left + width / 2, height)
      return !focused.contains(onTop) && !onTop?.contains(focused)
    })
  })
}

/** Reports the opposite before each change, as a busy browser does that has missed a frame. */
function reportViewChangesTogether(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super((entries, observer) => {
          const opposite = entries.map((entry) =>
            Object.create(entry, { isIntersecting: { value: !entry.isIntersecting } }),
          )
          callback([...opposite, ...entries], observer)
        }, options)
      }
    }
  })
}
