import type { Page, Request } from '@playwright/test'
import type { ShopClient } from '#database'
import { busyPage } from '#server/busy-page.ts'
import { refusalFor } from '#server/overload.ts'
import { expectUsable, expectUsableInBothThemes, partsWiderThan } from './fixtures/audit.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { goWithinAdmin } from './fixtures/go-within-admin.ts'
import { expect, test } from './fixtures/journey.ts'
import { aLure, type Lure } from './fixtures/lure.ts'
import { stickBait } from '#test/shopping.ts'

const THREE_HOURS_MS = 3 * 60 * 60 * 1000

interface Announcement {
  launchAt: Date
  stock?: number
  showsStock?: boolean
}

async function announce(
  staff: ShopClient,
  { id, amberId }: Lure,
  { launchAt, stock = 12, showsStock = true }: Announcement,
): Promise<void> {
  await staff.from('product_variants').update({ stock_quantity: stock }).eq('id', amberId).throwOnError()
  await staff
    .from('products')
    .update({ status: 'announced', publish_at: launchAt.toISOString(), shows_stock: showsStock })
    .eq('id', id)
    .throwOnError()
}

const isHead = (request: Request) => request.method() === 'HEAD'

function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return errors
}

// covers A22
test('an announced lure counts down by the server’s clock, and can be bought on the open page at its launch', async ({
  page,
  staff,
}) => {
  const errors = errorsOf(page)
  const lure = await aLure(staff)
  await announce(staff, lure, { launchAt: new Date(Date.now() + 60_000) })
  // A phone whose clock is three hours fast.
  await page.clock.install({ time: Date.now() + THREE_HOURS_MS })
  await page.goto(`/products/${lure.slug}/amber`)
  const add = page.locator('[data-buy]').first()

  await test.step('before the launch the page shows the remaining time and stock, and nothing can be bought', async () => {
    await expect(page.getByRole('timer', { name: 'Time until the sale starts' })).toContainText(
      /00 days 00 hours 00 minutes \d\d seconds?/,
    )
    await expect(page.getByText('12 at the launch').first()).toBeVisible()
    await expect(add).toBeDisabled()
    await page.getByRole('button', { name: 'Without Hooks' }).click()
    await expectUsable(page, { isContentOnly: true })
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 800 })
      // WebKit lays the page out again some time after it has resized the window.
      await expect.poll(() => partsWiderThan(page, width), `${width} px`).toEqual([])
    }
  })

  await test.step('at the launch the button is enabled without a reload, and the choices stay', async () => {
    await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
    await announce(staff, lure, { launchAt: new Date(Date.now() + 2000) })
    await page.evaluate(async () => {
      document.dispatchEvent(new Event('visibilitychange'))
      // The page's question for the server's time is answered before this one, and not during the minute that is skipped.
      await fetch(location.pathname, { cache: 'no-store' })
    })
    await page.clock.fastForward(60_000)

    await expect(add).toBeEnabled()
    await expect(page.getByRole('timer')).toHaveCount(0)
    await expect(page.locator('body')).toHaveAttribute('data-same-page', '')
    await add.click()
    await expect(page.getByText('Added to cart', { exact: true })).toBeVisible()
  })

  await test.step('an open page of a limited run says by itself that it is sold out', async () => {
    await expect(page.getByText('12 left').first()).toBeVisible()
    await staff.from('product_variants').update({ stock_quantity: 0 }).eq('id', lure.amberId).throwOnError()
    await page.clock.fastForward(20_000)

    await expect(add).toHaveText('Sold out')
  })

  await test.step('stock that is entered while the page is open can be bought at the launch', async () => {
    await announce(staff, lure, { launchAt: new Date(Date.now() + 60_000), stock: 0, showsStock: false })
    const firstStock = page.waitForResponse('**/rest/v1/product_availability*')
    await page.reload()
    await (await firstStock).finished()
    await expect(page.getByRole('timer', { name: 'Time until the sale starts' })).toContainText(
      /\d\d seconds?/,
    )
    await announce(staff, lure, { launchAt: new Date(), showsStock: false })
    await page.clock.fastForward(60_000)

    await expect(add).toBeEnabled()
  })

  await test.step('a page that was left at the launch no longer loads its data again', async () => {
    await announce(staff, lure, { launchAt: new Date(Date.now() + 60_000) })
    await page.reload()
    // A page whose first question for the server's time is held would not know that the launch has come.
    await expect(page.getByRole('timer', { name: 'Time until the sale starts' })).toContainText(
      /\d\d seconds?/,
    )
    const release = await holdResponses(page, `**/products/${lure.slug}/amber`, { method: 'HEAD' })
    const atLaunch = page.waitForRequest(isHead)
    await page.clock.fastForward(60_000)
    await atLaunch
    await page.getByRole('contentinfo').getByRole('link', { name: 'Size Guide' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Size Guide' })).toBeVisible()

    const later: string[] = []
    page.on('request', (request) => isHead(request) && later.push(request.url()))
    await release()
    for (let second = 1; second <= 3; second += 1) {
      // A check that still runs gets its response before this one.
      // oxlint-disable-next-line no-await-in-loop
      await page.evaluate(() => fetch(location.pathname, { cache: 'no-store' }))
      // oxlint-disable-next-line no-await-in-loop
      await page.clock.fastForward(1000)
    }
    expect(later).toEqual([])
  })
  expect(errors).toEqual([])
})

// covers A22
test('a launch is announced in the admin area, which warns while there is no stock', async ({
  adminPage: page,
  staff,
}) => {
  const lure = await aLure(staff)
  await staff.from('products').update({ status: 'hidden' }).eq('id', lure.id).throwOnError()
  await staff.from('product_variants').update({ stock_quantity: 0 }).eq('product_id', lure.id).throwOnError()
  await page.goto(`/admin/products/${lure.id}`)
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000)
  const save = page.getByRole('button', { name: 'Save Changes' })

  await test.step('an announced product without a launch is refused at its field', async () => {
    await page.getByRole('radio', { name: /^Announced/ }).check()
    await save.click()

    await expect(page.getByText('An announced lure needs a launch time.')).toBeVisible()
  })

  await test.step('the launch is entered in South African time', async () => {
    await page.getByRole('textbox', { name: 'Launch' }).fill(`${tomorrow.toISOString().slice(0, 10)}T19:00`)
    await expect(page.getByText('The launch is near and no colour has stock.')).toBeVisible()
    await expectUsableInBothThemes(page)
    await save.click()
    await expect(page.getByText('Product updated successfully')).toBeVisible()
    const { data } = await staff.from('products').select('status, publish_at').eq('id', lure.id).single()

    expect(data).toEqual({
      status: 'announced',
      publish_at: `${tomorrow.toISOString().slice(0, 10)}T17:00:00+00:00`,
    })
  })

  await test.step('the list of scheduled products shows the launch and the missing stock', async () => {
    await goWithinAdmin(page, '/admin/products?launch=scheduled')
    const row = page.getByRole('row', { name: lure.name })

    await expect(row).toContainText('Announced')
    await expect(row).toContainText('19:00')
    await expect(row).toContainText('No stock')
  })

  await test.step('“Hide” ends the launch', async () => {
    await page.getByRole('checkbox', { name: `Select ${lure.name}` }).check()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Hide' }).click()
    const question = page.getByRole('dialog', { name: 'Hide these products?' })
    await expect(question).toContainText(`These lose their launch: ${lure.name}.`)
    await question.getByRole('button', { name: 'Hide' }).click()
    await expect(page.getByText('1 product is now hidden')).toBeVisible()
    const { data } = await staff.from('products').select('status, publish_at').eq('id', lure.id).single()

    expect(data).toEqual({ status: 'hidden', publish_at: null })
  })
})

test(
  'a page that the full shop refuses opens by itself, and the cart is kept',
  { tag: '@long' },
  async ({ page, angler }) => {
    await page.goto('/products')
    await angler.putInCart({ lure: stickBait.product_name, colour: stickBait.product_variant })
    let refused = 0
    await intercept(page, '**/faq', (route) => {
      refused += 1
      return refused > 2 ? route.fallback() : route.fulfill({ ...busyPage, status: 503 })
    })
    await page.clock.install()
    await page.goto('/faq')

    await expect(page.getByRole('heading', { name: 'Many anglers are here right now' })).toBeVisible()
    await expectUsable(page)
    await expect(async () => {
      await page.clock.fastForward(10_000)
      await expect(page.getByRole('heading', { level: 1, name: /Questions/ })).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Cart, 1 item' })).toBeVisible()
  },
)

test('pages and calls that the overloaded shop refuses are repeated without an error on the page', async ({
  page,
}) => {
  let refused = 0
  await intercept(page, /\.data|rest\/v1\/product_availability/, (route) => {
    refused += 1
    return refused > 2 ? route.fallback() : route.fulfill(refusalFor('application/json'))
  })
  await openHydrated(page, '/faq')
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Products' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Our Products' })).toBeVisible()
  await expect(page.locator('body')).toHaveAttribute('data-same-page', '')
  expect(refused).toBeGreaterThan(2)
})
