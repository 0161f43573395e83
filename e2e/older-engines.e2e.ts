import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { STICK_BAIT } from './fixtures/angler.ts'
import { expectNothingCovered, expectToastInSight } from './fixtures/geometry.ts'
import { expect, test } from './fixtures/journey.ts'
import { asOldestEngine } from './fixtures/older-engine.ts'

test.use({ bypassCSP: true, serviceWorkers: 'block' })

test.beforeEach(({ context }) => asOldestEngine(context))

test('a lure is bought in an engine without the newest APIs and CSS', async ({ angler }) => {
  const { page } = angler
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))

  await angler.choose({ lure: STICK_BAIT, colour: 'Blue Reaper' })
  await expectToastInSight(page)
  await expectNothingCovered(page)
  await angler.goToCheckout()
  await angler.placeOrder()
  await angler.pay()

  expect(errors).toEqual([])
})

test('the account menu stands below its button, at the top of a page and scrolled, without CSS anchors', async ({
  angler,
}) => {
  const { page } = angler
  await page.goto('/auth')
  await angler.signUp()
  await page.goto('/faq')
  for (const top of [0, 900]) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top)
    await page.getByRole('banner').getByRole('button', { name: 'My Account' }).click()
    const menu = page.getByRole('banner').locator('[popover]')
    await expect(menu).toBeVisible()
    const button = await page.getByRole('banner').getByRole('button', { name: 'My Account' }).boundingBox()
    const box = await menu.boundingBox()
    const gap = (box?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0)
    expect(gap).toBeGreaterThanOrEqual(0)
    expect(gap).toBeLessThanOrEqual(16)
    await page.keyboard.press('Escape')
  }
})

test('a closed drawer stands nowhere in the page in an engine without `overlay`', async ({ angler }) => {
  const { page } = angler
  await page.goto('/faq')
  await angler.openCart()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const before = await height()

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

test('the questions and answers of a first visit work in an engine without `checkVisibility`', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.removeItem('cookie_consent'))
  await page.goto('/products')
  const question = page.getByRole('region', { name: 'Cookies?' })
  await expect(question).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Our Products' })).toBeVisible()
  await question.getByRole('button', { name: 'Decline' }).click()
  await expect(question).toHaveCount(0)
})

test('the pages’ scripts name no API that a supported browser lacks', () => {
  // In libraries these stand behind a check for them.
  const CHECKED = [/^framework-.*startViewTransition$/]
  const LACKED =
    /\b(withResolvers|fromAsync|URL\.parse|(?:Object|Map)\.groupBy|checkVisibility|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|Promise\.try|RegExp\.escape|requestIdleCallback|AbortSignal\.any|startViewTransition|moveBefore|requestClose|Iterator\.(?:from|concat))\b/g
  const folder = join(import.meta.dirname, '..', 'build', 'client', 'assets')
  const found = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) =>
      [...new Set(readFileSync(join(folder, name), 'utf8').match(LACKED))].map((api) => `${name}: ${api}`),
    )
    .filter((use) => !CHECKED.some((checked) => checked.test(use)))

  expect(found).toEqual([])
})
