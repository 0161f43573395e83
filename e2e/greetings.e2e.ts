import type { Page } from '@playwright/test'
import { openHydrated, waitForHydration } from './fixtures/hydration.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expectNothingCovered } from './fixtures/geometry.ts'
import { allowClipboard } from './fixtures/clipboard.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure } from './fixtures/lure.ts'

test.use({ isGreeted: false })

const banner = (page: Page) => page.getByRole('region', { name: 'Cookies?' })
const popup = (page: Page) => page.getByRole('dialog', { name: '5% off your first order' })

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
] as const

const POPUP_SCRIPT = '**/assets/discount-popup-*.js'

/** Scrolls with the wheel; a page that is not hydrated yet handles the next turn. */
async function scrollPast(page: Page, px: number): Promise<void> {
  await page.evaluate((top) => scrollTo({ top: top - 1, behavior: 'instant' }), px)
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), px)
}

/** Scrolls again until the page reacts, because it may not be hydrated yet. */
async function scrollUntil(page: Page, px: number, expectReaction: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await scrollPast(page, px)
    await expectReaction()
  }).toPass()
}

async function scrollUntilAsked(
  page: Page,
  px: number,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  let isAsked = false
  const asked = page.waitForRequest(POPUP_SCRIPT).then(() => (isAsked = true))
  await scrollUntil(page, px, async () => {
    await meanwhile()
    await expect.poll(() => isAsked, { timeout: 500 }).toBe(true)
  })
  await asked
}

async function answerCookies(page: Page, answer: 'Accept' | 'Decline'): Promise<void> {
  await banner(page).getByRole('button', { name: answer }).click()
  await expect(banner(page)).toHaveCount(0)
}

/** Returns the background that the visitor sees at the top of the page. */
function topColour(page: Page): Promise<string> {
  return page.evaluate(() => {
    const colours = document
      .elementsFromPoint(10, 10)
      .map((element) => getComputedStyle(element).backgroundColor)
    return colours.find((colour) => colour !== 'rgba(0, 0, 0, 0)') ?? 'none'
  })
}

async function scrollToPopup(page: Page, px = 700): Promise<void> {
  await scrollUntil(page, px, () => expect(popup(page)).toBeVisible({ timeout: 500 }))
  // A scroll event that is still due would open it again after it is closed.
  await afterTwoFrames(page)
}

/** Clears the flag that this tab has shown the discount, so that it opens again. */
async function forgetPopup(page: Page): Promise<void> {
  await page.evaluate(() => sessionStorage.clear())
}

const PAGES = ['/', '/products', '/products/chisel-nose-popper-150/mahi-mahi', '/auth', '/contact']

test('the discount popup and the cookie banner appear one at a time', async ({ page, context }) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000)

  // covers S40
  await test.step('the cookie banner waits until the open discount popup is closed', async () => {
    await page.goto('/')
    // The scripts start in the second frame.
    await page.clock.runFor(100)
    await waitForHydration(page)
    const came = page.waitForResponse(POPUP_SCRIPT)
    // A busy browser dispatches scroll events in a later frame, and the fake clock delays frames.
    await scrollUntilAsked(page, 900, () => page.clock.runFor(20))
    await (await came).finished()
    // React renders fetched data in a later task.
    await expect(async () => {
      await page.clock.runFor(100)
      await expect(popup(page)).toBeVisible({ timeout: 500 })
    }).toPass()

    await page.clock.runFor(5_000)
    await expect(banner(page)).toHaveCount(0)
    await popup(page).getByRole('button', { name: 'No thanks' }).click()
    await page.clock.runFor(500)

    await expect(banner(page)).toBeVisible()
  })

  // covers S2.42
  await test.step('the cookie banner appears a second after the page, even without a connection', async () => {
    await page.goto('/faq')
    await page.clock.runFor(100)
    await waitForHydration(page)
    // React runs the effect that starts the timer in a later task.
    await page.clock.runFor(100)
    await context.setOffline(true)
    await expect(banner(page)).toHaveCount(0)
    const colourBefore = await topColour(page)

    await page.clock.runFor(1_000)

    await expect(banner(page)).toBeVisible()
    // Otherwise a pale gap shows above the dark header for a second.
    expect(colourBefore).toBe(await topColour(page))
    await context.setOffline(false)
  })

  await test.step('Esc postpones the cookie banner until the next visit', async () => {
    await page.clock.resume()
    await page.keyboard.press('Escape')

    await expect(banner(page)).toHaveCount(0)
    await page.reload()
    await expect(banner(page)).toBeVisible()
  })

  // covers S2.42 S3.13 S9.12
  await test.step('an answered cookie banner does not appear again and leaves no space behind', async () => {
    const top = () => page.getByRole('banner').evaluate((header) => header.getBoundingClientRect().top)
    await answerCookies(page, 'Decline')
    expect(await top()).toBe(0)

    await openHydrated(page, '/size-guide')
    await page.clock.runFor(5_000)

    await expect(banner(page)).toHaveCount(0)
    expect(await top()).toBe(0)
    const kept = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))
    expect(kept).toMatchObject({ cookie_consent: '{"hasResponded":true,"cookiesAccepted":false}' })
    expect(kept).not.toHaveProperty('last_visited_path')
  })
})

// covers S40
test('the cookie banner covers no control and causes no layout shift', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize(VIEWPORTS[0])
  await openHomeBeforeFonts(page)
  for (const [at, path] of PAGES.entries()) {
    const viewport = VIEWPORTS[at % VIEWPORTS.length] ?? VIEWPORTS[0]
    await test.step(`the cookie banner on ${path} covers and moves nothing at ${viewport.width} px`, async () => {
      await page.setViewportSize(viewport)
      if (path !== '/') await page.goto(path)
      await expectBannerInPlace(page)
    })
  }
})

for (const viewport of VIEWPORTS) {
  test(
    `the cookie banner covers and moves nothing on any page at ${viewport.width} px`,
    { tag: '@long' },
    async ({ page }) => {
      await page.setViewportSize(viewport)
      await openHomeBeforeFonts(page)
      for (const path of PAGES) {
        if (path !== '/') await page.goto(path)
        await expectBannerInPlace(page)
      }
    },
  )
}

/** Delays the web fonts: the fallback fonts must not need more lines. */
async function openHomeBeforeFonts(page: Page): Promise<void> {
  await page.addInitScript(watchLayoutShift)
  const releaseFonts = await holdResponses(page, '**/assets/*.woff2')
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await releaseFonts()
}

async function expectBannerInPlace(page: Page): Promise<void> {
  await expect(banner(page)).toBeVisible()
  await expectNothingCovered(page)
  expect(await page.evaluate(() => window.layoutShift), page.url()).toBeLessThan(0.02)
  await expect(banner(page)).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }))
  await expectNothingCovered(page)
}

/** Runs before the page's own scripts. */
function watchLayoutShift(): void {
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('value' in entry && typeof entry.value === 'number') window.layoutShift! += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

// covers S2.31 S2.32 S3.13
test(
  'the sign-in returns to the last page if cookies were accepted',
  { tag: '@long' },
  async ({ angler }) => {
    const { page } = angler
    const lastPage = '/products/chisel-nose-popper-150'
    await page.goto(lastPage)
    await answerCookies(page, 'Accept')
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(`/auth?redirect=${encodeURIComponent(lastPage)}`)

    // The last page has priority over the page in the URL.
    await page.goto('/auth?redirect=%2Ffaq')
    await angler.signUp()

    await expect(page).toHaveURL(lastPage)
    await expect(page.getByText('Account created successfully! You can now log in.')).toBeVisible()
    // The link of a confirmation mail opens this URL with the session.
    await page.goto('/?redirect=%2Ffaq')
    await expect(page).toHaveURL(lastPage)
  },
)

test('the discount popup opens once a session and does not interrupt the visitor', async ({
  page,
  staff,
}) => {
  const { amberId, id, name } = await aLure(staff)
  await staff.from('products').update({ price_with_hooks: null }).eq('id', id).throwOnError()
  await staff.from('product_variants').delete().eq('product_id', id).neq('id', amberId).throwOnError()
  const dialog = popup(page)
  await page.goto('/')

  // covers S2.26 S4.20 S9.12
  await test.step('the discount popup waits for 500 px of scrolling and the answer about cookies', async () => {
    await expect(banner(page)).toBeVisible()
    await scrollPast(page, 900)
    await expect(dialog).toHaveCount(0)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await answerCookies(page, 'Decline')
    await scrollPast(page, 500)
    await expect(dialog).toHaveCount(0)
  })

  await test.step('the discount popup opens even if a lure has only one option', async () => {
    const onlyWay = page.getByRole('article', { name }).first().getByRole('button', { name: 'Without Hooks' })
    await expect(onlyWay).toHaveAttribute('aria-pressed', 'true')
    await scrollToPopup(page, 501)
  })

  // covers S4.22 S40
  await test.step('the X, the backdrop, No thanks and Esc close the discount popup', async () => {
    for (const leave of [
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 300),
      () => dialog.getByRole('button', { name: 'No thanks' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await forgetPopup(page)
      await leave()
      await expect(dialog).toHaveCount(0)
      await scrollToPopup(page)
    }
  })

  await test.step('the discount popup does not open while a hooks option is chosen', async () => {
    await forgetPopup(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    // Press by script: Playwright would scroll to the button first, and the discount might open before anything is chosen.
    await page.getByRole('button', { name: 'With Hooks', pressed: false }).first().dispatchEvent('click')
    await expect(page.getByRole('button', { name: 'With Hooks', pressed: true })).toBeVisible()
    await scrollPast(page, 700)
    await expect(dialog).toHaveCount(0)
  })

  await test.step('the discount popup does not cover a dialog that opened in the meantime', async () => {
    const releasePopup = await holdResponses(page, POPUP_SCRIPT)
    await page.reload()
    await scrollUntilAsked(page, 700)
    await page.getByRole('button', { name: /^Cart/ }).click()
    const cart = page.getByRole('dialog', { name: /^Shopping Cart/ })
    await expect(cart).toBeVisible()
    const came = page.waitForResponse(POPUP_SCRIPT)

    await releasePopup()

    await (await came).finished()
    await expect(dialog).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(cart).toBeHidden()
    await scrollToPopup(page)
  })

  await test.step('the discount popup does not cover a page that was opened while it loaded', async () => {
    await forgetPopup(page)
    const releasePopup = await holdResponses(page, POPUP_SCRIPT)
    await page.reload()
    await scrollUntilAsked(page, 700)
    const releasePage = await holdResponses(page, '**/assets/*.js')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).press('Enter')
    const came = page.waitForResponse(POPUP_SCRIPT)
    await releasePopup()
    await (await came).finished()
    await afterTwoFrames(page)
    await releasePage()
    await expect(page).toHaveURL('/about')
    await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await page.goto('/')
    await scrollToPopup(page)
  })

  await test.step('the discount popup fits the window, and toasts cover none of the popup’s controls', async () => {
    for (const viewport of VIEWPORTS) {
      await page.setViewportSize(viewport)
      await dialog.getByLabel('E-mail', { exact: true }).fill('sipho')
      await dialog.getByRole('button', { name: 'Get my code' }).click()
      await expect(dialog.getByRole('alert')).toContainText('Valid email required')
      await expectNothingCovered(page)
      for (const control of await dialog.locator('button, input').all())
        await expect(control, `at ${viewport.width} px`).toBeInViewport({ ratio: 1 })
      await expect(banner(page)).toHaveCount(0)
    }

    await page.keyboard.press('Escape')

    await expect(dialog).toHaveCount(0)
    for (const viewport of VIEWPORTS) {
      await page.setViewportSize(viewport)
      await expectNothingCovered(page)
    }
  })

  // covers S4.20 S9.12
  await test.step('the discount popup opens only once a session', async () => {
    await page.reload()
    await waitForHydration(page)
    await scrollPast(page, 900)
    await expect(dialog).toHaveCount(0)
  })
})

test('the discount popup accepts an address once, and shows and copies the code', async ({
  page,
  context,
  staff,
}) => {
  await allowClipboard(context)
  const reader = crypto.randomUUID()
  const claimed = `claimed-${reader}@example.com`
  const subscriber = `subscriber-${reader}@example.com`
  const newcomer = `newcomer-${reader}@example.com`
  await staff
    .from('newsletter_signups')
    .insert([
      { email: claimed, source: 'popup' },
      { email: subscriber, source: 'footer' },
    ])
    .throwOnError()
  await page.goto('/')
  await answerCookies(page, 'Decline')
  await scrollToPopup(page)
  const dialog = popup(page)
  const field = dialog.getByLabel('E-mail', { exact: true })
  const alert = dialog.getByRole('alert')
  const code = dialog.getByText('5OFFFIRST', { exact: true })
  async function claim(email: string) {
    await field.fill(email)
    await dialog.getByRole('button', { name: 'Get my code' }).click()
  }

  // covers S5.10 S8.10
  await test.step('the discount popup rejects an address with an earlier claim and reports failures', async () => {
    const news = dialog.getByLabel(/news and offers/)
    await news.check()
    await claim(claimed)
    await expect(alert).toContainText('Already claimed')
    await expect(alert).toContainText('This email has already claimed the discount.')
    await news.uncheck()

    await intercept(page, '**/rest/v1/newsletter_signups*', (route) => route.abort())
    await claim(claimed)
    await expect(alert).toContainText('Something went wrong. Please try again.')
    await expect(field).toHaveValue(claimed)
    await page.unroute('**/rest/v1/newsletter_signups*')
  })

  await test.step('a footer subscriber gets the discount code, and the next attempt clears the error toast', async () => {
    await claim('sipho')
    await expect(alert).toContainText('Valid email required')
    await expect(alert).toContainText('Please enter a valid email address.')

    await claim(subscriber)

    await expect(code).toBeVisible()
    await expect(alert).toHaveCount(0)
    await expect(code).toHaveCSS('font-family', /monospace/)
    await expect(code).toHaveCSS('font-variant-numeric', 'slashed-zero')
  })

  await test.step('the discount popup stays open while it claims the code, which is shown only once', async () => {
    await forgetPopup(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await scrollToPopup(page)
    const release = await holdResponses(page, '**/rest/v1/newsletter_signups*')
    await claim(`patient-${reader}@example.com`)
    await expect(dialog.getByRole('button', { name: 'One moment...' })).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'No thanks' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await release()
    await expect(code).toBeVisible()
    await page.unroute('**/rest/v1/newsletter_signups*')
  })

  // covers S4.21 S6.3 S9.12
  await test.step('a new address gets the discount code, and the copy button shows Copied for two seconds', async () => {
    await forgetPopup(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await scrollToPopup(page)
    await claim(`  ${newcomer.toUpperCase()} `)

    await expect(code).toBeVisible()
    const { data } = await staff.from('newsletter_signups').select('email, source').eq('email', newcomer)
    expect(data).toEqual([{ email: newcomer, source: 'popup' }])
    // The page itself notes them: a busy machine could miss two seconds.
    const labels = await dialog.getByRole('button', { name: 'COPY CODE' }).evaluateHandle((button) => {
      const shown: { label: string | null; at: number }[] = []
      new MutationObserver(() => shown.push({ label: button.textContent, at: performance.now() })).observe(
        button,
        { subtree: true, childList: true, characterData: true },
      )
      return shown
    })
    await dialog.getByRole('button', { name: 'COPY CODE' }).click()
    await expect
      .poll(async () => (await labels.jsonValue()).map(({ label }) => label))
      .toEqual(['COPIED', 'COPY CODE'])
    const [copied, again] = await labels.jsonValue()
    expect((again?.at ?? 0) - (copied?.at ?? 0)).toBeGreaterThan(1_800)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('5OFFFIRST')
    await dialog.getByRole('button', { name: 'Start Shopping' }).click()
    await expect(dialog).toHaveCount(0)
  })
})
