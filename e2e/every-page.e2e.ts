import type { Page } from '@playwright/test'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { isLongRun } from '@saltfreak/backend/testing'
import routes from '../app/routes.ts'
import { openHydrated } from './fixtures/hydration.ts'
import {
  expectNothingObscured,
  expectNothingWider,
  expectNoSeriousProblem,
  expectTargets,
  expectToFit,
  expectUsable,
  type Part,
} from './fixtures/audit.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { goWithinAdmin } from './fixtures/go-within-admin.ts'
import { aLongOrder, longWords } from './fixtures/long-words.ts'
import { aLure } from './fixtures/lure.ts'
import { aFailedMail, aForgedNotice } from './fixtures/payment-issues.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { PHONE_DEVICE } from './fixtures/phone.ts'
import { signInAs } from './fixtures/signed-in.ts'
import { ACCOUNT, ADMIN_RECORDS, ADMIN_TOOLS, CHECKOUT, PUBLIC_PAGES } from './fixtures/pages.ts'

/** `accessibility.e2e.ts` audits what opens on a page, and invalid forms. */

// Drawing each page at a phone's pixel density takes longer, and these journeys do not check it.
test.use({ ...PHONE_DEVICE, deviceScaleFactor: 1, hasPictures: true })

const DESKTOP = { width: 1440, height: 900 }
const SMALLEST_PHONE = { width: 320, height: 640 }

// covers S48
test('every page of the storefront is listed in this file', () => {
  const named = [...Object.values(PUBLIC_PAGES), ACCOUNT].flatMap(Object.keys)

  expect([...named, CHECKOUT].toSorted()).toEqual(pagesOf(routes).filter(isStorefront).toSorted())
})

// covers A35
test('every page of the admin area is listed in this file', () => {
  const named = Object.keys({ ...ADMIN_RECORDS, ...ADMIN_TOOLS })

  // A former address redirects to its page.
  const pages = pagesOf(routes).filter((address) => !isStorefront(address) && address !== '/admin/needs-you')
  expect(named).toEqual(expect.arrayContaining(pages))
})

for (const [group, pages] of Object.entries<Record<string, string>>(PUBLIC_PAGES)) {
  // covers A8 S48 S50
  test(`pages of ${group} fit a phone, are accessible and cause no browser warnings`, async ({ page }) => {
    const complaints = watchComplaints(page)
    for (const [index, [route, address]] of Object.entries(pages).entries()) {
      await test.step(route, () => expectUsableOnPhone(page, address, { isContentOnly: index > 0 }))
      expect(complaints, address).toEqual([])
    }
  })

  test(`pages of ${group} are accessible on a desktop`, { tag: '@long' }, async ({ page }) => {
    for (const [route, address] of Object.entries(pages)) {
      await test.step(route, () => expectUsableOnDesktop(page, address))
    }
  })

  test(`pages of ${group} fit a phone when pictures fail to load`, { tag: '@long' }, async ({ page }) => {
    await intercept(page, /\.(?:avif|webp|jpe?g|png)|\/storage\/v1\//, (route) => route.abort())
    for (const [route, address] of Object.entries(pages)) {
      await test.step(route, async () => {
        await open(page, address)
        await expectToFit(page)
      })
    }
  })
}

// covers S48 S50 S52
test('the checkout and account pages fit a phone and are accessible with long words', async ({
  page,
  shop,
}) => {
  const { orderId, city, ...customer } = await aLongOrder(shop)
  await signInAs(page, { shop, client: customer.client })

  for (const [route, address] of Object.entries(ACCOUNT)) {
    await test.step(route, () =>
      expectUsableOnPhone(page, withIds(address, { orderId }), { isContentOnly: true }),
    )
    if (address.endsWith(':orderId')) await expect(page.getByText(city)).toBeVisible()
  }
  await test.step(CHECKOUT, () => expectUsableOnPhone(page, CHECKOUT, { isContentOnly: true }))
})

const ADMIN_SWEEPS = [
  { screens: 'fit a desktop and the smallest phone and are accessible', details: {}, visit: expectAdminPage },
  {
    screens: 'are accessible in the dark and on a phone',
    details: { tag: '@long' },
    visit: expectAdminPageInTheDark,
  },
]

for (const { screens, details, visit } of ADMIN_SWEEPS) {
  test(
    `admin pages ${screens} with long words from visitors`,
    details,
    async ({ adminPage: page, shop, staff }) => {
      const ids = await longWords(shop, staff)
      const complaints = watchComplaints(page)

      for (const [index, [route, address]] of Object.entries(ADMIN_RECORDS).entries()) {
        await test.step(route, () => visit(page, withIds(address, ids), { isContentOnly: index > 0 }))
        expect(complaints, route).toEqual([])
      }
    },
  )

  test(
    `other admin pages, the command menu and the refund form ${screens}`,
    details,
    async ({ adminPage: page, shop, staff }) => {
      const order = await aPaidOrder(shop)
      await aFailedMail(shop, order)
      await aForgedNotice(shop)
      const { id: productId } = await aLure(staff)
      await staff.from('products').update({ low_stock_threshold: 5 }).eq('id', productId).throwOnError()

      const complaints = watchComplaints(page)
      for (const [route, address] of Object.entries(ADMIN_TOOLS)) {
        await test.step(route, () => visit(page, withIds(address, { productId }), { isContentOnly: true }))
        expect(complaints, route).toEqual([])
      }
      await test.step('a paid order and the refund form pass the accessibility audit', async () => {
        await visit(page, `/admin/orders/${order.id}`)
        await page.getByRole('button', { name: 'Refund' }).click()
        await expectUsable(page)
      })
      await test.step('the command menu with search results passes the accessibility audit', async () => {
        await openAdminPage(page, '/admin')
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: /Order, client/ }).fill('pop')
        await expect(page.getByRole('option').first()).toBeVisible()
        await expectUsable(page)
      })
    },
  )
}

/** Collects errors of scripts, refused calls, and warnings about the content security policy. */
function watchComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (/^\/(?:rest|auth|functions)\//.test(pathname) && response.status() >= 400)
      complaints.push(`${response.status()} ${response.url()}`)
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to|Permissions-Policy/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  return complaints
}

async function expectUsableOnPhone(page: Page, address: string, part: Part): Promise<void> {
  await open(page, address)
  await expectUsable(page, part)
  await expectNothingObscured(page)
  await expectToFit(page)
}

async function expectUsableOnDesktop(page: Page, address: string): Promise<void> {
  await page.setViewportSize(DESKTOP)
  await open(page, address)
  await expectUsable(page)
}

async function open(page: Page, address: string): Promise<void> {
  await openHydrated(page, address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Audits both layouts, because tables on a desktop become cards on a phone. */
async function expectAdminPage(page: Page, address: string, part: Part = {}): Promise<void> {
  await page.setViewportSize(DESKTOP)
  await openAdminPage(page, address)
  await expectUsable(page, part)
  await expectNothingWider(page, DESKTOP.width)
  await page.setViewportSize(SMALLEST_PHONE)
  await expectTargets(page)
  await expectNothingObscured(page)
  await expectNothingWider(page, SMALLEST_PHONE.width)
}

async function expectAdminPageInTheDark(page: Page, address: string, part: Part = {}): Promise<void> {
  await page.setViewportSize(PHONE_DEVICE.viewport)
  await page.emulateMedia({ colorScheme: 'dark' })
  await openAdminPage(page, address)
  await expectUsable(page, part)
  await expectNothingWider(page, PHONE_DEVICE.viewport.width)
  await page.setViewportSize(DESKTOP)
  await expectNoSeriousProblem(page, part)
}

async function openAdminPage(page: Page, address: string): Promise<void> {
  const [, area, former] = new URL(page.url()).pathname.split('/')
  // The long run loads each page anew.
  if (area === 'admin' && former !== address.split('/')[2] && !isLongRun) await goWithinAdmin(page, address)
  else await openHydrated(page, address)
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

function withIds(address: string, ids: Record<string, string>): string {
  return address.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
}

function isStorefront(address: string): boolean {
  return !address.startsWith('/admin')
}

/** The paths of all pages in the route configuration. */
function pagesOf(entries: RouteConfigEntry[], parent = ''): string[] {
  return entries.flatMap(({ path, index, file, children = [] }) => {
    const address = [parent, path].filter(Boolean).join('/')
    if (file.endsWith('.route.ts')) return []
    const isPage = index || (path !== undefined && children.length === 0)
    return [...(isPage ? [`/${address}`] : []), ...pagesOf(children, address)]
  })
}
