import type { Locator, Page } from '@playwright/test'
import { isAlive } from './fixtures/alive.ts'
import { hold } from './fixtures/hold.ts'
import { expectNothingCovered } from './fixtures/geometry.ts'
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
]

const POPUP_SCRIPT = '**/assets/discount-popup-*.js'

/** Scrolls as a wheel does: a page that has not come alive yet hears the next turn. */
async function scrollPast(page: Page, px: number): Promise<void> {
  await page.evaluate((top) => scrollTo({ top: top - 1, behavior: 'instant' }), px)
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), px)
}

/** The page may not be alive yet, so it is scrolled until it has heard it. */
async function scrollUntil(page: Page, px: number, isHeard: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await scrollPast(page, px)
    await isHeard()
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

async function openPopup(page: Page): Promise<Locator> {
  await page.goto('/')
  await answerCookies(page, 'Decline')
  await scrollUntil(page, 700, () => expect(popup(page)).toBeVisible({ timeout: 500 }))
  return popup(page)
}

test.describe('the question about cookies', () => {
  test('comes a second after the page, and not again once it is answered', async ({ page }) => {
    await page.clock.install()
    await page.goto('/faq', { waitUntil: 'networkidle' })
    await page.clock.runFor(1_000)
    await expect(banner(page)).toBeVisible()

    await answerCookies(page, 'Decline')

    await page.goto('/size-guide', { waitUntil: 'networkidle' })
    await page.clock.runFor(5_000)
    await expect(banner(page)).toHaveCount(0)
    const kept = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))
    expect(kept).toMatchObject({ cookie_consent: '{"hasResponded":true,"cookiesAccepted":false}' })
    expect(kept).not.toHaveProperty('last_visited_path')
  })

  test('comes at the end of its second although the connection is lost meanwhile', async ({
    page,
    context,
  }) => {
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await page.goto('/faq')
    // The scripts begin with the frame after the first.
    await page.clock.runFor(100)
    await isAlive(page)
    // React runs the effect that starts the second a moment later.
    await page.clock.runFor(100)
    await context.setOffline(true)
    await expect(banner(page)).toHaveCount(0)

    await page.clock.runFor(1_000)

    await expect(banner(page)).toBeVisible()
  })

  test('is put off by Esc', async ({ page }) => {
    await page.goto('/faq')
    await expect(banner(page)).toBeVisible()

    await page.keyboard.press('Escape')

    await expect(banner(page)).toHaveCount(0)
    await page.reload()
    await expect(banner(page)).toBeVisible()
  })

  for (const viewport of VIEWPORTS) {
    test(`covers no control and moves none when it appears, at ${viewport.width} px`, async ({ page }) => {
      await page.setViewportSize(viewport)
      await page.addInitScript(watchLayoutShift)
      // Until then faces of the system stand in, which may not take more lines.
      const letFacesCome = await hold(page, '**/assets/*.woff2')
      await page.goto('/', { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      letFacesCome()
      for (const path of [
        '/',
        '/products',
        '/products/chisel-nose-popper-150/mahi-mahi',
        '/auth',
        '/contact',
      ]) {
        if (path !== '/') await page.goto(path)
        await expect(banner(page)).toBeVisible()

        await expectNothingCovered(page)
        expect(await page.evaluate(() => window.layoutShift), path).toBeLessThan(0.02)
        await expect(banner(page)).toBeInViewport({ ratio: 1 })
        await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }))
        await expectNothingCovered(page)
      }
    })
  }

  test('leaves no space behind once it is answered', async ({ page }) => {
    await page.goto('/faq')
    await answerCookies(page, 'Decline')
    const top = () => page.getByRole('banner').evaluate((header) => header.getBoundingClientRect().top)
    expect(await top()).toBe(0)

    await page.reload()

    expect(await top()).toBe(0)
  })
})

/** Runs before the page's own scripts. */
function watchLayoutShift(): void {
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('value' in entry && typeof entry.value === 'number') window.layoutShift! += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

async function signUpFrom(angler: { page: Page; signUp(): Promise<void> }, redirect: string) {
  await angler.page.goto(`/auth?redirect=${encodeURIComponent(redirect)}`)
  await angler.signUp()
}

test.describe('after the sign-in', () => {
  test('the last page comes back, if cookies were accepted', async ({ angler }) => {
    const { page } = angler
    await page.goto('/faq')
    await answerCookies(page, 'Accept')
    await page.goto('/size-guide')
    await expect.poll(() => page.evaluate(() => localStorage.last_visited_path)).toBe('/size-guide')

    await signUpFrom(angler, '/faq')

    await expect(page).toHaveURL('/size-guide')
    // The link of a confirmation mail leads here, with the session.
    await page.goto('/?redirect=%2Ffaq')
    await expect(page).toHaveURL('/size-guide')
  })

  test('the sign-in by the header’s icon leads back to the last page, if cookies were accepted', async ({
    angler,
  }) => {
    const { page } = angler
    await page.goto('/products/chisel-nose-popper-150')
    await answerCookies(page, 'Accept')
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await expect(page).toHaveURL('/auth?redirect=%2Fproducts%2Fchisel-nose-popper-150')

    await angler.signUp()

    await expect(page).toHaveURL('/products/chisel-nose-popper-150')
    await expect(page.getByText('Account created successfully! You can now log in.')).toBeVisible()
  })

  test('it leads home when they were declined', async ({ angler }) => {
    const { page } = angler
    await page.goto('/faq')
    await answerCookies(page, 'Decline')

    await signUpFrom(angler, '/faq')

    await expect(page).toHaveURL('/')
    await page.goto('/?redirect=%2Ffaq')
    await expect(page).toHaveURL('/')
  })
})

test.describe('the discount', () => {
  test('waits for 500 px and the answer about cookies, and shows once a session', async ({ page }) => {
    await page.goto('/')
    await expect(banner(page)).toBeVisible()
    await scrollPast(page, 900)
    await expect(popup(page)).toHaveCount(0)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await answerCookies(page, 'Decline')
    await scrollPast(page, 500)
    await expect(popup(page)).toHaveCount(0)

    await scrollUntil(page, 501, () => expect(popup(page)).toBeVisible({ timeout: 500 }))
    await page.keyboard.press('Escape')
    await page.reload({ waitUntil: 'networkidle' })
    await scrollPast(page, 900)
    await expect(popup(page)).toHaveCount(0)
  })

  test('opens before the question about cookies has come, which then waits', async ({ page }) => {
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await page.goto('/')
    // The scripts begin with the frame after the first.
    await page.clock.runFor(100)
    await isAlive(page)
    const came = page.waitForResponse(POPUP_SCRIPT)
    // A browser that is busy tells of a scroll with a frame to come, and frames wait for the clock.
    await scrollUntilAsked(page, 900, () => page.clock.runFor(20))
    await (await came).finished()
    // React shows what it has fetched after a moment of its own.
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

  test('does not come over what was opened while it was on its way', async ({ page }) => {
    const letCome = await hold(page, POPUP_SCRIPT)
    await page.goto('/')
    await answerCookies(page, 'Decline')
    await scrollUntilAsked(page, 700)
    await page.getByRole('button', { name: /^Cart/ }).click()
    const cart = page.getByRole('dialog', { name: /^Shopping Cart/ })
    await expect(cart).toBeVisible()
    const came = page.waitForResponse(POPUP_SCRIPT)

    letCome()

    await (await came).finished()
    await expect(popup(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(cart).toBeHidden()
    await scrollUntil(page, 700, () => expect(popup(page)).toBeVisible({ timeout: 500 }))
  })

  test('comes although a lure has only one way to be bought, and not while one of two is chosen', async ({
    page,
    staff,
  }) => {
    const { amberId, id, name } = await aLure(staff)
    await staff.from('products').update({ price_with_hooks: null }).eq('id', id).throwOnError()
    await staff.from('product_variants').delete().eq('product_id', id).neq('id', amberId).throwOnError()
    await page.goto('/')
    await answerCookies(page, 'Decline')
    const onlyWay = page.getByRole('article', { name }).first().getByRole('button', { name: 'Without Hooks' })
    await expect(onlyWay).toHaveAttribute('aria-pressed', 'true')

    // A press by hand would scroll to the button first, and the discount might be on its way before anything is chosen.
    const oneOfTwo = page.getByRole('button', { name: 'With Hooks', pressed: false }).first()
    await oneOfTwo.dispatchEvent('click')
    await isAlive(page)
    await expect(page.getByRole('button', { name: 'With Hooks', pressed: true })).toBeVisible()
    await scrollPast(page, 700)
    await expect(popup(page)).toHaveCount(0)
    await page.reload()
    await scrollUntil(page, 700, () => expect(popup(page)).toBeVisible({ timeout: 500 }))
  })

  test('fits the window, comes without the question about cookies, and its toasts cover none of its controls', async ({
    page,
  }) => {
    const dialog = await openPopup(page)
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

  test('is closed by the X, the backdrop, No thanks and Esc', async ({ page }) => {
    const dialog = popup(page)
    const waysOut = [
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 300),
      () => dialog.getByRole('button', { name: 'No thanks' }).click(),
      () => page.keyboard.press('Escape'),
    ]
    await openPopup(page)

    for (const leave of waysOut) {
      await leave()
      await expect(dialog).toHaveCount(0)
      await page.evaluate(() => sessionStorage.clear())
      await page.reload({ waitUntil: 'networkidle' })
      await scrollUntil(page, 900, () => expect(dialog).toBeVisible({ timeout: 500 }))
    }
  })

  test('takes an address once, shows the code and copies it', async ({ page, context, staff }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const email = `reader-${crypto.randomUUID()}@example.com`
    const dialog = await openPopup(page)
    const claim = () => dialog.getByRole('button', { name: 'Get my code' }).click()

    await dialog.getByLabel('E-mail', { exact: true }).fill('sipho')
    await claim()
    await expect(dialog.getByRole('alert')).toContainText('Valid email required')
    await expect(dialog.getByRole('alert')).toContainText('Please enter a valid email address.')
    await dialog.getByLabel('E-mail', { exact: true }).fill(`  ${email.toUpperCase()} `)
    await claim()

    await expect(dialog.getByText('5OFFFIRST', { exact: true })).toBeVisible()
    const { data } = await staff.from('newsletter_signups').select('email, source').eq('email', email)
    expect(data).toEqual([{ email, source: 'popup' }])
    const copied = Date.now()
    await dialog.getByRole('button', { name: 'COPY CODE' }).click()
    await expect(dialog.getByRole('button', { name: 'COPIED' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('5OFFFIRST')
    await expect(dialog.getByRole('button', { name: 'COPY CODE' })).toBeVisible()
    expect(Date.now() - copied).toBeGreaterThan(1_800)
    await dialog.getByRole('button', { name: 'Start Shopping' }).click()
    await expect(popup(page)).toHaveCount(0)
  })

  test('is given to a footer subscriber, its error toast goes with the next try, and the code is legible', async ({
    page,
    staff,
  }) => {
    const email = `reader-${crypto.randomUUID()}@example.com`
    await staff.from('newsletter_signups').insert({ email, source: 'footer' }).throwOnError()
    const dialog = await openPopup(page)
    await dialog.getByLabel('E-mail', { exact: true }).fill('sipho')
    await dialog.getByRole('button', { name: 'Get my code' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Valid email required')
    await dialog.getByLabel('E-mail', { exact: true }).fill(email)

    await dialog.getByRole('button', { name: 'Get my code' }).click()

    const code = dialog.getByText('5OFFFIRST', { exact: true })
    await expect(code).toBeVisible()
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await expect(code).toHaveCSS('font-family', /monospace/)
    await expect(code).toHaveCSS('font-variant-numeric', 'slashed-zero')
  })

  test('is refused to an address that has claimed, and a failure says so', async ({ page, staff }) => {
    const email = `reader-${crypto.randomUUID()}@example.com`
    await staff.from('newsletter_signups').insert({ email })
    const dialog = await openPopup(page)
    await dialog.getByLabel('E-mail', { exact: true }).fill(email)
    const claim = () => dialog.getByRole('button', { name: 'Get my code' }).click()

    await claim()
    await expect(dialog.getByRole('alert')).toContainText('Already claimed')
    await expect(dialog.getByRole('alert')).toContainText('This email has already claimed the discount.')

    await page.route('**/rest/v1/newsletter_signups*', (route) => route.abort())
    await claim()
    await expect(dialog.getByRole('alert')).toContainText('Something went wrong. Please try again.')
    await expect(dialog.getByLabel('E-mail', { exact: true })).toHaveValue(email)
  })
})
