import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../app/routes.ts'
import { placeOrder } from '#test/storefront-calls/shopping.ts'
import { PASSWORD, POPPER_150 } from './fixtures/angler.ts'
import { expectUsable } from './fixtures/audit.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { ACCOUNT, CHECKOUT, PUBLIC_PAGES } from './fixtures/pages.ts'

test('every page of the storefront is looked at here', () => {
  const named = [...Object.values(PUBLIC_PAGES), ACCOUNT].flatMap(Object.keys)

  expect([...named, CHECKOUT].toSorted()).toEqual(pagesOf(routes).toSorted())
})

for (const [group, pages] of Object.entries<Record<string, string>>(PUBLIC_PAGES)) {
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
