import { createClient } from '@supabase/supabase-js'
import type { Locator, Page } from '@playwright/test'
import { POPPER_150, STICK_BAIT } from '#test/product-names.ts'
import { toasts } from './fixtures/geometry.ts'
import { expect, test } from './fixtures/journey.ts'
import { openLive } from './fixtures/live.ts'

const WIDTHS = [1440, 1024, 768, 390]
const NEAR_PX = 40

test(
  'an undo toast avoids the cart drawer’s text, and an error toast avoids the page’s heading',
  { tag: '@long' },
  async ({ angler }) => {
    const { page } = angler
    await angler.choose({ lure: STICK_BAIT, colour: 'Blue Reaper' })
    await angler.putInCart({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
    const drawer = await angler.openCart()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      await drawer
        .getByRole('button', { name: /^Remove .*Blue Reaper/ })
        .first()
        .click()
      await expect(page.getByText('Removed from cart')).toBeVisible()
      await expectNoTextCovered(page, drawer.locator('p, h2, h3, dt, dd, a, span'))
      expect(await distance(toasts(page), drawer), `at ${width} px`).toBeLessThan(NEAR_PX)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(drawer.getByText('Blue Reaper').first()).toBeVisible()
    }

    await page.goto('/contact')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      await page.getByRole('button', { name: 'Send Message' }).click()
      await expect(toasts(page).getByRole('alert')).toHaveCount(4)
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      await expectNoTextCovered(page, page.getByRole('main').getByRole('heading'))
    }
  },
)

test(
  'toasts about new orders wait until an open dialog is closed',
  { tag: '@long' },
  async ({ brother, shop }) => {
    const { page } = brother
    await openLive(page, '/admin/messages')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(dialog).toBeVisible()
    const { publishable } = await shop.keys()
    const message = {
      name: 'Naledi',
      email: 'naledi@example.com',
      subject: 'Popper weights',
      message: 'Do you make one of 80 g?',
    }

    await createClient(shop.url, publishable).from('contact_submissions').insert(message)

    await expect(page.getByText('Do you make one of 80 g?')).toBeAttached()
    // `toHaveCount(0)` would wait until the toast disappears by itself.
    expect(await toasts(page).getByText('Naledi: Popper weights').count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect(toasts(page).getByText('Naledi: Popper weights')).toBeVisible()
  },
)

/** Polls, because toasts may move shortly after they appear. */
async function expectNoTextCovered(page: Page, words: Locator): Promise<void> {
  await expect(toasts(page)).toHaveCSS('opacity', '1')
  await expect.poll(() => coveredTexts(page, words), { intervals: [100] }).toEqual([])
}

async function coveredTexts(page: Page, words: Locator): Promise<string[]> {
  const toast = await toasts(page).elementHandle()
  return words.evaluateAll((elements, region) => {
    const over = region?.getBoundingClientRect() ?? new DOMRect()
    return elements.flatMap((element) => {
      if (region?.contains(element)) return []
      const range = document.createRange()
      range.selectNodeContents(element)
      const isCovered = [...range.getClientRects()].some(
        ({ left, top, right, bottom }) =>
          left < over.right && right > over.left && top < over.bottom && bottom > over.top,
      )
      return isCovered ? [element.textContent ?? ''] : []
    })
  }, toast)
}

/** Pixels between two elements, 0 if they touch. */
async function distance(one: Locator, other: Locator): Promise<number> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (!a || !b) return Infinity
  const across = Math.max(a.x - (b.x + b.width), b.x - (a.x + a.width), 0)
  const down = Math.max(a.y - (b.y + b.height), b.y - (a.y + a.height), 0)
  return Math.hypot(across, down)
}
