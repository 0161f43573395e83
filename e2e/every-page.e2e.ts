import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../app/routes.ts'
import { placeOrder } from '#test/storefront-calls/shopping.ts'
import { PASSWORD, POPPER_150 } from './fixtures/angler.ts'
import { expectToFit, expectUsable } from './fixtures/audit.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'

/** Every page of the storefront by its route, and an address at which it is to be seen. */
const SHOP: Record<string, string> = {
  '/': '/',
  '/collections': '/collections',
  '/products': '/products',
  '/products/:slug/:colour?': '/products/chisel-nose-popper-150/blue-reaper',
  '/gallery': '/gallery',
}
const HELP: Record<string, string> = {
  '/about': '/about',
  '/contact': '/contact',
  '/faq': '/faq',
  '/size-guide': '/size-guide',
  '/shipping-returns': '/shipping-returns',
}
const WORDS: Record<string, string> = {
  '/terms-of-service': '/terms-of-service',
  '/privacy-policy': '/privacy-policy',
  '/cookie-policy': '/cookie-policy',
  '/*': '/no-such-page',
  '/offline': '/offline',
}
const DOORS: Record<string, string> = {
  '/auth': '/auth',
  '/auth/forgot-password': '/auth/forgot-password',
  '/auth/new-password': '/auth/new-password',
  '/auth/confirmed': '/auth/confirmed',
  '/auth/link': '/auth/link',
  '/payment-success': '/payment-success',
  '/payment-cancelled': '/payment-cancelled',
}
/** `:orderId` is the customer's own order. */
const ACCOUNT: Record<string, string> = {
  '/account': '/account',
  '/account/orders/:orderId': '/account/orders/:orderId',
  '/account/details': '/account/details',
  '/account/security': '/account/security',
  '/account/data': '/account/data',
}
const CHECKOUT = '/checkout'

test('every page of the storefront is looked at here', () => {
  const named = [SHOP, HELP, WORDS, DOORS, ACCOUNT].flatMap(Object.keys)

  expect([...named, CHECKOUT].toSorted()).toEqual(pagesOf(routes).toSorted())
})

const GROUPS = { 'the shop': SHOP, help: HELP, words: WORDS, 'doors and payment': DOORS }

for (const [group, pages] of Object.entries(GROUPS)) {
  test(`pages of ${group} can be read and pressed by everybody`, async ({ page }) => {
    for (const [route, address] of Object.entries(pages)) {
      await test.step(route, async () => {
        await page.goto(address, { waitUntil: 'networkidle' })
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectUsable(page)
      })
    }
  })
}

test('every page that anybody may open fits a screen of 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const address of Object.values(GROUPS).flatMap(Object.values<string>)) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectToFit(page)
  }
})

test('the checkout and every page of the account can be read and pressed by everybody', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  const order = await placeOrder(customer)
  await page.goto('/auth')
  await angler.signIn({ email: customer.email, password: PASSWORD })

  for (const [route, address] of Object.entries(ACCOUNT)) {
    await test.step(route, async () => {
      await page.goto(address.replace(':orderId', order.id), { waitUntil: 'networkidle' })
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectUsable(page)
    })
  }
  await angler.choose({ lure: POPPER_150, colour: 'Slachback 150mm' })
  await page.goto(CHECKOUT)
  await expect(angler.placeOrderButton).toBeVisible()
  await expectUsable(page)
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
