import { signUpCustomer } from './fixtures/customer.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { expect, test } from './fixtures/journey.ts'
import { signInAs } from './fixtures/signed-in.ts'

test('no URL and no mailed link replaces a browser’s session without asking', async ({ page, shop }) => {
  const [victim, thief] = [await signUpCustomer(shop), await signUpCustomer(shop)]
  const { data } = await thief.client.auth.getSession()
  const planted = new URLSearchParams({
    access_token: data.session?.access_token ?? '',
    refresh_token: data.session?.refresh_token ?? '',
    expires_in: '3600',
    token_type: 'bearer',
    type: 'recovery',
  })

  await test.step('no page accepts a session from the URL', async () => {
    for (const path of ['/', '/auth/confirmed', '/auth/new-password', '/auth/link']) {
      await openHydrated(page, `${path}#${planted}`)
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('auth-token')
    }
    await signInAs(page, { shop, client: victim.client })
    await openHydrated(page, `/account/security#${planted}`)
    await page.waitForLoadState('networkidle')
    await page.reload()
    await expect(page.getByText(`You sign in with ${victim.email}`)).toBeVisible()
  })

  await test.step('a mailed link asks the visitor before replacing another user’s session', async () => {
    const redirectTo = `${shop.url}/auth/new-password`
    await thief.client.auth.resetPasswordForEmail(thief.email, { redirectTo })
    const mail = await shop.mailbox.waitFor(({ recipients }) => recipients.includes(thief.email))
    await page.goto(/https?:\/\/\S+\/auth\/v1\/confirm\S+?(?=[\s>])/.exec(mail.text ?? '')?.[0] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()

    await expect(page.getByRole('heading', { name: 'Switch account?' })).toBeVisible()
    await page.getByRole('button', { name: `Stay signed in as ${victim.email}` }).click()
    await expect(page).toHaveURL('/account')
    await page.goto('/account/security')
    await expect(page.getByText(`You sign in with ${victim.email}`)).toBeVisible()
  })
})
