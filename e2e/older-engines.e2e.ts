import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { STICK_BAIT } from '#test/product-names.ts'
import { expectNothingCovered, expectToastInSight } from './fixtures/geometry.ts'
import { expect, test } from './fixtures/journey.ts'
import { asOldestEngine } from './fixtures/older-engine.ts'

test.use({ bypassCSP: true, serviceWorkers: 'block', isGreeted: false })

test.beforeEach(({ context }) => asOldestEngine(context))

test(
  'a customer buys a lure in a browser without the newest APIs and CSS',
  { tag: '@long' },
  async ({ angler }) => {
    const { page } = angler
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.goto('/products')

    await test.step('a visitor answers the cookie banner in a browser without `checkVisibility`', async () => {
      const question = page.getByRole('region', { name: 'Cookies?' })
      await expect(question).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Our Products' })).toBeVisible()
      await question.getByRole('button', { name: 'Decline' }).click()
      await expect(question).toHaveCount(0)
    })

    await test.step('a toast is positioned, and the customer pays for the lure', async () => {
      await angler.putInCart({ lure: STICK_BAIT, colour: 'Blue Reaper' })
      await expectToastInSight(page)
      await expectNothingCovered(page)
      await angler.goToCheckout()
      await angler.placeOrder()
      await angler.pay()
    })

    await page.goto('/faq')
    // covers S2.17
    await test.step('the account menu opens below the menu button in a browser without CSS anchors', async () => {
      const banner = page.getByRole('banner')
      const account = banner.getByRole('button', { name: 'My Account' })
      const menu = banner.locator('[popover]')
      for (const top of [0, 900]) {
        await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top)
        await account.click()
        await expect(menu).toBeVisible()
        const button = await account.boundingBox()
        const box = await menu.boundingBox()
        const gap = (box?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0)
        expect(gap).toBeGreaterThanOrEqual(0)
        expect(gap).toBeLessThanOrEqual(16)
        await page.keyboard.press('Escape')
      }
    })

    await test.step('a closed drawer takes no space in a browser without `overlay`', async () => {
      await angler.openCart()
      const before = await page.evaluate(() => document.documentElement.scrollHeight)

      const after = await page.evaluate(async () => {
        const drawer = document.querySelector<HTMLDialogElement>('dialog[open]')
        drawer?.close()
        await new Promise(requestAnimationFrame)
        return {
          display: drawer && getComputedStyle(drawer).display,
          height: document.documentElement.scrollHeight,
        }
      })

      expect(after).toEqual({ display: 'none', height: before })
    })

    expect(errors).toEqual([])
  },
)

test('the pages’ scripts use no API that a supported browser lacks', () => {
  // Libraries check for these APIs before they use them.
  const CHECKED = [/^framework-.*startViewTransition$/]
  const LACKED =
    /\b(withResolvers|fromAsync|URL\.parse|(?:Object|Map)\.groupBy|checkVisibility|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|Promise\.try|RegExp\.escape|requestIdleCallback|AbortSignal\.any|startViewTransition|moveBefore|requestClose|Iterator\.(?:from|concat))\b/g
  const folder = join(import.meta.dirname, '..', 'build', 'client', 'assets')
  const unsupported = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) =>
      [...new Set(readFileSync(join(folder, name), 'utf8').match(LACKED))].map((api) => `${name}: ${api}`),
    )
    .filter((use) => !CHECKED.some((checked) => checked.test(use)))

  expect(unsupported).toEqual([])
})
