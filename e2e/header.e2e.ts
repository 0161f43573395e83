import type { Page } from '@playwright/test'
import { afterTwoFrames } from './fixtures/frames.ts'
import { toasts } from './fixtures/geometry.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated, waitForHydration } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'

async function openSearch(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  return dialog
}

test('the search tolerates typos, lists and opens results, and finds pages offline', async ({ page }) => {
  await page.goto('/faq')
  const code = /\/assets\/search-dialog-.*\.js/
  await test.step('a search whose code does not load says so and leaves the page open', async () => {
    await waitForHydration(page)
    await intercept(page, code, (route) => route.abort())
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
    await expect(toasts(page)).toContainText('The search did not load. Please try again.')
    await expect(page).toHaveURL('/faq')
    await page.unroute(code)
  })

  await test.step('a search that loads late does not open over the next page', async () => {
    const release = await holdResponses(page, code)
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible()
    const loaded = page.waitForResponse(code)
    await release()
    await (await loaded).finished()
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeHidden()
  })

  await test.step('a search that loads before the next page is drawn does not open over it', async () => {
    await openHydrated(page, '/faq')
    const release = await holdResponses(page, code)
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
    const releasePage = await holdResponses(page, '**/assets/*.js')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Gallery' }).click()
    const loaded = page.waitForResponse(code)
    await release()
    await (await loaded).finished()
    await afterTwoFrames(page)
    await releasePage()
    await expect(page).toHaveURL('/gallery')
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/Questions/)
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeHidden()
  })

  const dialog = await openSearch(page)
  const field = dialog.getByRole('searchbox')
  const results = dialog.getByRole('list', { name: 'Search results' }).getByRole('link')

  // covers S3
  await test.step('the search finds pages while the shop is unreachable', async () => {
    await intercept(page, '**/rest/v1/rpc/suggest_products*', (route) => route.abort())
    await field.fill('returns')
    await expect(dialog.getByRole('link', { name: /Shipping & Returns/ })).toBeVisible()
    await field.fill('popper')
    await expect(dialog.getByRole('status')).toHaveText("We couldn't search the lures. Please try again.")
    await page.unroute('**/rest/v1/rpc/suggest_products*')
  })

  // covers S2.14 S2
  await test.step('the search finds lures, colours and pages from two letters on and tolerates typos', async () => {
    await field.fill('p')
    await expect(results).toHaveCount(0)
    for (const [asked, answer] of [
      ['pop', /^Chisel Nose Popper 150mm/],
      ['poper', /^Chisel Nose Popper 150mm/],
      ['redhaed', /^Red ?head/i],
      ['retruns', /^Shipping & Returns/],
      ['size', /^Size Guide/],
    ] as const) {
      await field.fill(asked)
      await expect(results.first(), asked).toHaveText(answer)
    }
    await field.fill('snoek spoon')
    await expect(dialog.getByRole('status')).toHaveText('Nothing found for “snoek spoon”.')
    await expect(dialog.getByRole('link', { name: 'See all lures' })).toBeVisible()
  })

  await test.step('a search that is still running does not say that it found nothing', async () => {
    const release = await holdResponses(page, '**/rest/v1/rpc/suggest_products*')
    await field.fill('popper')
    await expect(dialog.getByRole('status')).toHaveText('Searching...')
    await release()
    await expect(dialog.getByRole('status')).toHaveText(/^\d+ results$/)
    await page.unroute('**/rest/v1/rpc/suggest_products*')
  })

  await test.step('the search lists every counted result', async () => {
    await field.fill('popper')
    await expect(results).toHaveCount(8)
    const count = Number.parseInt(await dialog.getByRole('status').innerText(), 10)
    await dialog.getByRole('button', { name: `Show all ${count} results` }).click()
    await expect(results).toHaveCount(count)
    await expect(results.nth(8)).toBeFocused()
  })

  await test.step('arrow keys and Enter open a search result', async () => {
    await field.fill('mahi 200')
    await expect(results.first()).toHaveText(/^Mahi/)
    await field.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/chisel-nose-popper-200\/mahi-mahi/)
    await expect(dialog).toBeHidden()
  })

  await test.step('Enter shows the search results on the products page', async () => {
    await openSearch(page)
    await field.fill('stikc bait')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/products?q=stikc+bait')
    await expect(page.getByRole('article')).toHaveCount(1)
  })
})

// covers S2.16 S2.17 S9.16
test('the account menu opens below its button, and arrow keys and letters move through it', async ({
  browser,
  brothersBrowser,
  shop,
}) => {
  const context = await browser.newContext({ storageState: brothersBrowser })
  const page = await context.newPage()
  await page.goto(`${shop.url}/faq`)
  const account = page.getByRole('banner').getByRole('button', { name: 'My Account' })
  await account.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('banner').locator('[popover]')
  const signOut = menu.getByRole('button', { name: 'Sign Out' })
  await expect(menu.getByText('My Account')).toBeVisible()
  const [button, box] = [await account.boundingBox(), await menu.boundingBox()]
  const gap = (box?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0)
  expect(gap).toBeGreaterThanOrEqual(0)
  expect(gap).toBeLessThanOrEqual(16)
  await expect(menu.getByRole('link', { name: 'Admin Panel' })).toBeVisible()
  // The menu gets the keyboard focus shortly after it is shown.
  await expect.poll(() => menu.evaluate((shown) => shown.contains(document.activeElement))).toBe(true)

  // Letters typed within a second form one word.
  await page.clock.setFixedTime(new Date())
  await page.keyboard.type('si')
  await expect(signOut).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(signOut).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(account).toBeFocused()
  await context.close()
})

// covers S9.17
test('the scrollbar of a drawer disappears 600 ms after the pointer leaves', async ({
  page,
  browserName,
}) => {
  test.skip(
    browserName !== 'chromium',
    'the backdrop of a dialog counts as the dialog: the pointer cannot leave',
  )
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Cart' }).click()
  const drawer = page.getByRole('dialog', { name: /Shopping Cart/ })
  const scrollbar = () =>
    drawer.evaluate((element) => getComputedStyle(element).getPropertyValue('--scrollbar'))
  await drawer.hover()
  await expect.poll(scrollbar).not.toMatch(/, 0\)|transparent/)
  // Start the timer before the move, because the call may return late.
  const left = Date.now()
  await page.mouse.move(5, 5)
  await expect.poll(scrollbar, { intervals: [20] }).toMatch(/, 0\)|transparent/)
  expect(Date.now() - left).toBeGreaterThanOrEqual(580)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})

test('anchors and the mobile menu work on the home page', async ({ page }) => {
  // covers S2.11
  await test.step('a new page starts at the top, and a link with an anchor at the target', async () => {
    await openHydrated(page, '/')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Size Guide' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Size Guide' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    // Last, because the router scrolls to an anchor of the address once more after rendering, which can move a link from under a press.
    for (const anchor of ['products', 'collections', 'about']) {
      await page.goto(`/#${anchor}`)
      await expect(page.locator(`#${anchor}`)).toBeInViewport()
    }
    await openHydrated(page, '/size-guide')
  })

  // covers S2.13
  await test.step('small screens show the navigation in a menu that slides out', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
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
})
