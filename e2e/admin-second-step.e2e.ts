import type { Page } from '@playwright/test'
import { Angler, PASSWORD } from './fixtures/angler.ts'
import { totp } from './fixtures/authenticator.ts'
import { signUpCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import type { OpenShop } from './shop.ts'

/** A separate admin, because other tests sign in the brother with his password only. */
async function anotherAdmin(shop: OpenShop, angler: Angler) {
  const { client, email } = await signUpCustomer(shop)
  await queryDatabase(
    shop,
    `insert into public.user_roles (user_id, role) select id, 'admin' from public.profiles where email = $1`,
    [email],
  )
  await angler.page.goto('/auth')
  await angler.signIn({ email, password: PASSWORD })
  return { client, email, page: angler.page }
}

/** Adds an authenticator app on the security page. Returns its secret. */
async function addAuthenticator(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const key = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).innerText()
  await page.getByLabel('Code').fill(totp(key))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByRole('button', { name: 'Get recovery codes' })).toBeVisible()
  return key
}

// covers A38
test(
  'staff need the second step in the admin area once an admin requires the step',
  { tag: '@long' },
  async ({ angler, browser, shop }) => {
    const first = await anotherAdmin(shop, angler)
    await first.page.goto('/account/security')
    await addAuthenticator(first.page)
    const context = await browser.newContext({ baseURL: shop.url })
    const second = await anotherAdmin(shop, new Angler(await context.newPage()))
    expect((await second.client.rpc('count_attention')).error).toBeNull()

    try {
      await first.page.goto('/admin/settings')
      await first.page.getByRole('switch', { name: 'Every admin must have a second step' }).click()
      await expect(first.page.getByText('Settings saved')).toBeVisible()

      expect((await second.client.rpc('count_attention')).error?.code).toBe('42501')
      expect((await second.client.from('changes').select('id')).data).toEqual([])
      await second.page.goto('/admin/orders')
      await expect(second.page).toHaveURL(/\/account\/security\?for=admin/)
      await expect(second.page.getByText('Every admin of this shop must have a second step.')).toBeVisible()

      const key = await addAuthenticator(second.page)
      await second.page.goto('/admin/orders')
      await expect(second.page.getByRole('region', { name: 'Orders' })).toBeVisible()
      // The session from before has only the password, as a thief's would.
      expect((await second.client.rpc('count_attention')).error?.code).toBe('42501')

      await second.page.getByRole('button', { name: 'Sign Out' }).click()
      // A page that opens late would end the journey's own navigation.
      await expect(second.page).toHaveURL('/')
      await expect(second.page.getByRole('link', { name: 'Sign in' })).toBeVisible()
      await second.page.goto('/auth?redirect=/admin/orders')
      const form = second.page.getByRole('tabpanel', { name: 'Login' })
      await form.getByLabel('E-mail', { exact: true }).fill(second.email)
      await form.getByLabel('Password').fill(PASSWORD)
      await form.getByRole('button', { name: 'Login' }).click()
      await expect(second.page.getByRole('heading', { name: 'One more step' })).toBeVisible()
      await second.page.getByLabel('Code').fill(totp(key, 1))
      await second.page.getByRole('button', { name: 'Continue' }).click()
      await expect(second.page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
    } finally {
      await queryDatabase(shop, 'update public.shop_settings set requires_second_factor = false')
      await context.close()
    }
  },
)
