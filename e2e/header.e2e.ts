import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'

async function openSearch(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  return dialog
}

test('search answers from two letters on, with lures, colours and pages, and forgives', async ({ page }) => {
  await page.goto('/faq')
  const dialog = await openSearch(page)
  const field = dialog.getByRole('searchbox')
  const results = dialog.getByRole('list', { name: 'Search results' }).getByRole('link')

  await field.fill('p')
  await expect(results).toHaveCount(0)
  for (const [asked, answer] of [
    ['pop', /^Chisel Nose Popper 150mm/],
    ['popper', /^Chisel Nose Popper 150mm/],
    ['poper', /^Chisel Nose Popper 150mm/],
    ['red head', /^Red ?head/i],
    ['redhead', /^Red ?head/i],
    ['redhaed', /^Red ?head/i],
    ['shipping', /^Shipping & Returns/],
    ['retruns', /^Shipping & Returns/],
    ['size', /^Size Guide/],
  ] as const) {
    await field.fill(asked)
    await expect(results.first(), asked).toHaveText(answer)
  }

  await field.fill('snoek spoon')
  await expect(dialog.getByRole('status')).toHaveText('Nothing found for “snoek spoon”.')
  await expect(dialog.getByRole('link', { name: 'See the whole range' })).toBeVisible()

  await field.fill('mahi 200')
  await expect(results.first()).toHaveText(/^Mahi/)
  await field.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/chisel-nose-popper-200\/mahi-mahi/)
  await expect(dialog).toBeHidden()
})

test('the search lists every result it counts', async ({ page }) => {
  await page.goto('/faq')
  const dialog = await openSearch(page)
  const results = dialog.getByRole('list', { name: 'Search results' }).getByRole('link')
  await dialog.getByRole('searchbox').fill('popper')
  await expect(results).toHaveCount(8)
  const count = Number.parseInt(await dialog.getByRole('status').innerText(), 10)

  await dialog.getByRole('button', { name: `Show all ${count} results` }).click()

  await expect(results).toHaveCount(count)
  await expect(results.nth(8)).toBeFocused()
})

test('Enter shows what was asked for on the products page', async ({ page }) => {
  await page.goto('/')
  const dialog = await openSearch(page)

  await dialog.getByRole('searchbox').fill('stikc bait')
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL('/products?q=stikc+bait')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('the search finds pages while the shop cannot be reached', async ({ page }) => {
  await page.route('**/rest/v1/rpc/suggest_lures*', (route) => route.abort())
  await page.goto('/')
  const dialog = await openSearch(page)

  await dialog.getByRole('searchbox').fill('returns')

  await expect(dialog.getByRole('link', { name: /Shipping & Returns/ })).toBeVisible()
})

test('arrows and letters move through the account menu', async ({ angler, shop }) => {
  const { page } = angler
  await page.goto('/auth')
  await angler.signIn(shop.admin)
  const account = page.getByRole('banner').getByRole('button', { name: 'My Account' })
  await account.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('banner').locator('[popover]')
  const signOut = menu.getByRole('button', { name: 'Sign Out' })
  await expect(menu.getByText('My Account')).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Admin Panel' })).toBeVisible()
  // Shown first, it has the keys a moment later.
  await expect(menu.locator(':focus')).toBeVisible()

  await page.keyboard.type('si')
  await expect(signOut).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(signOut).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(account).toBeFocused()
})

test('small screens have the navigation in a menu that slides out', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()

  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expect(menu.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'HOME',
    'PRODUCTS',
    'ABOUT',
    'GALLERY',
  ])
  await expect(menu.getByRole('navigation', { name: 'Quick links' }).getByRole('link')).toHaveText([
    'Contact',
    'FAQ',
  ])
  await menu.getByRole('link', { name: 'GALLERY' }).click()

  await expect(page).toHaveURL('/gallery')
  await expect(menu).toBeHidden()
})

test('a new page begins at its top, an anchor at its place', async ({ page }) => {
  await page.goto('/')
  for (const anchor of ['products', 'collections', 'about']) {
    await page.goto(`/#${anchor}`)
    await expect(page.locator(`#${anchor}`)).toBeInViewport()
  }
  await page.getByRole('contentinfo').getByRole('link', { name: 'Size Guide' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Size Guide' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('the scrollbar of a drawer leaves 600 ms after the pointer', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Cart' }).click()
  const drawer = page.getByRole('dialog', { name: /Shopping Cart/ })
  const scrollbar = () =>
    drawer.evaluate((element) => getComputedStyle(element).getPropertyValue('--scrollbar'))
  await drawer.hover()
  await expect.poll(scrollbar).not.toMatch(/, 0\)|transparent/)

  // Before the move, whose answer may come late: the pointer leaves at this moment or after it.
  const left = Date.now()
  await page.mouse.move(5, 5)

  await expect.poll(scrollbar, { intervals: [20] }).toMatch(/, 0\)|transparent/)
  expect(Date.now() - left).toBeGreaterThanOrEqual(580)
})
