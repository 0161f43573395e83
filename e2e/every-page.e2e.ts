import type { Page } from '@playwright/test'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../app/routes.ts'
import { placeOrder } from '#test/storefront-calls/shopping.ts'
import { isAlive } from './fixtures/alive.ts'
import { PASSWORD, POPPER_150 } from './fixtures/angler.ts'
import { expectTargets, expectToFit, expectUsable } from './fixtures/audit.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { ACCOUNT, CHECKOUT, PUBLIC_PAGES } from './fixtures/pages.ts'

test('every page of the storefront is looked at here', () => {
  const named = [...Object.values(PUBLIC_PAGES), ACCOUNT].flatMap(Object.keys)

  expect([...named, CHECKOUT].toSorted()).toEqual(pagesOf(routes).toSorted())
})

// Pictures are made for every density, and these journeys look at none.
test.use({ deviceScaleFactor: 1 })

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const SMALLEST_PHONE = { width: 320, height: 640 }

/** One load of a page shows it on every screen. */
async function expectUsableOnEveryScreen(page: Page, address: string): Promise<void> {
  await open(page, address)
  await expectUsable(page)
  await page.setViewportSize(DESKTOP)
  await expectUsable(page)
  await page.setViewportSize(SMALLEST_PHONE)
  await expectToFit(page)
}

async function open(page: Page, address: string): Promise<void> {
  await page.setViewportSize(PHONE)
  await page.goto(address)
  await isAlive(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

for (const [group, pages] of Object.entries<Record<string, string>>(PUBLIC_PAGES)) {
  test(`pages of ${group} fit every screen and can be read and pressed by everybody`, async ({ page }) => {
    for (const [route, address] of Object.entries(pages)) {
      await test.step(route, () => expectUsableOnEveryScreen(page, address))
    }
  })
}

test('the checkout and every page of the account fit every screen and can be read and pressed by everybody', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  const order = await placeOrder(customer)
  await page.goto('/auth')
  await angler.signIn({ email: customer.email, password: PASSWORD })

  for (const [route, address] of Object.entries(ACCOUNT)) {
    await test.step(route, () => expectUsableOnEveryScreen(page, address.replace(':orderId', order.id)))
  }
  await angler.choose({ lure: POPPER_150, colour: 'Slachback 150mm' })
  await test.step(CHECKOUT, () => expectUsableOnEveryScreen(page, CHECKOUT))
})

test('every target of the admin area’s lists and forms is large enough for a finger', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const lists = ['', '/orders', '/clients', '/products', '/promo-codes', '/gallery', '/messages', '/settings']
  for (const path of [...lists, `/orders/${order.id}`]) {
    await open(page, `/admin${path}`)
    await expectTargets(page)
  }
})

/** The addresses of pages that anybody but staff may open. */
function pagesOf(entries: RouteConfigEntry[], parent = ''): string[] {
  return entries.flatMap(({ path, index, file, children = [] }) => {
    const address = [parent, path].filter(Boolean).join('/')
    if (address === 'admin' || file.endsWith('.route.ts')) return []
    const isPage = index || (path !== undefined && children.length === 0)
    return [...(isPage ? [`/${address}`] : []), ...pagesOf(children, address)]
  })
}
