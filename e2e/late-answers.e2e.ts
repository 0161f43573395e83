import type { Page } from '@playwright/test'
import { PASSWORD } from './fixtures/angler.ts'
import { signInOverApi, signUpCustomer } from './fixtures/customer.ts'
import { afterTwoFrames } from './fixtures/frames.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'
import { openMailLink } from './fixtures/mail-link.ts'
import { acceptTerms, openCheckout, signInAs } from './fixtures/signed-in.ts'

const footerLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name })

/** Lets the answer through and waits until the page has handled it, and has opened what it leads to. */
async function handleAnswer(page: Page, url: string, release: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse(url)
  await release()
  await (await answer).finished()
  await afterTwoFrames(page)
  // oxlint-disable-next-line no-underscore-dangle -- React Router's name
  await page.waitForFunction(() => window.__reactRouterDataRouter.state.navigation.state === 'idle')
}

test(
  'a late answer does not take a customer away from a page that was opened meanwhile',
  { tag: '@long' },
  async ({ angler, shop }) => {
    const { page } = angler
    const { client, email } = await signUpCustomer(shop)
    await signInAs(page, { shop, client: await signInOverApi(shop, email) })

    await test.step('the answer to a sign-out', async () => {
      await openHydrated(page, '/faq')
      const release = await holdResponses(page, '**/auth/v1/logout*')
      await page.getByRole('button', { name: 'My Account' }).click()
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await footerLink(page, 'Size Guide').click()
      await expect(page.getByRole('heading', { level: 1, name: 'Size Guide' })).toBeVisible()
      await handleAnswer(page, '**/auth/v1/logout*', release)
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
      await expect(page).toHaveURL('/size-guide')
      await page.unroute('**/auth/v1/logout*')
    })

    await test.step('the answer to a new password', async () => {
      await client.auth.resetPasswordForEmail(email, { redirectTo: `${shop.url}/auth/new-password` })
      await openMailLink(page, shop.mailbox, { to: email, subject: /new password/ })
      await page.getByLabel('New password').fill(`${PASSWORD}-2`)
      const release = await holdResponses(page, '**/auth/v1/user', { method: 'PUT' })
      await page.getByRole('button', { name: 'Change password' }).click()
      await footerLink(page, 'Size Guide').click()
      await expect(page.getByRole('heading', { level: 1, name: 'Size Guide' })).toBeVisible()
      await handleAnswer(page, '**/auth/v1/user', release)
      await expect(page).toHaveURL('/size-guide')
      await page.unroute('**/auth/v1/user')
    })

    await test.step('the prices of a cart that is paid again', async () => {
      await openCheckout(page, { shop })
      await acceptTerms(page)
      await angler.placeOrder()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Payment Cancelled' })).toBeVisible()
      const placed: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/rpc/place_order')) placed.push(request.url())
      })
      const release = await holdResponses(page, '**/rpc/quote_cart*')
      await page.getByRole('link', { name: 'Try Again' }).click()
      await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
      const releasePage = await holdResponses(page, '**/assets/*.js')
      await page
        .getByRole('banner')
        .getByRole('link', { name: /Saltfreak/i })
        .click()
      await release()
      await afterTwoFrames(page)
      await releasePage()
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('heading', { name: 'Checkout' })).toHaveCount(0)
      expect(placed).toEqual([])
    })

    await test.step('the end of the session, while a page for visitors loads', async () => {
      await page.goto('/account/details')
      await expect(page.getByLabel('City')).toBeVisible()
      const releasePage = await holdResponses(page, '**/assets/*.js')
      await footerLink(page, 'Size Guide').click()
      await page.evaluate(() => {
        for (const key of Object.keys(localStorage).filter((name) => name.endsWith('-auth-token'))) {
          localStorage.removeItem(key)
          dispatchEvent(new StorageEvent('storage', { key }))
        }
      })
      await afterTwoFrames(page)
      await releasePage()
      await expect(page.getByRole('heading', { level: 1, name: 'Size Guide' })).toBeVisible()
      await expect(page).toHaveURL('/size-guide')
    })
  },
)
