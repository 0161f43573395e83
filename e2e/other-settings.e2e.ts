import { freePort } from '@saltfreak/backend/testing'
import { startShop } from '#test/running-shop.ts'
import { PASSWORD } from './fixtures/angler.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { openMailLink } from './fixtures/mail-link.ts'

const RESEND = '**/auth/v1/resend*'

test(
  'a mailed link completes a sign-up, and a used link shows a message',
  { tag: '@long' },
  async ({ angler, shop }) => {
    const careful = await startShop({ SMTP_URL: shop.mailbox.smtpUrl, CONFIRM_SIGN_UPS: 'true' })
    const { page, email } = angler
    try {
      await page.goto(`${careful.url}/auth`)
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      const form = page.getByRole('tabpanel', { name: 'Sign Up' })
      await form.getByLabel('Full Name').fill(angler.name)
      await form.getByLabel('E-mail', { exact: true }).fill(email)
      await form.getByLabel('Password').fill(PASSWORD)
      await form.getByRole('button', { name: 'Sign Up' }).click()
      await expect(page.getByText('Account created successfully! You can now log in.')).toBeVisible()
      await expect(page.getByText(`We've e-mailed a link to ${email}`)).toBeVisible()

      // The shop's own answer to a second request would be to wait a minute.
      await intercept(page, RESEND, (route) => route.fulfill({ json: {} }))
      const releaseResponse = await holdResponses(page, RESEND)
      const resend = page.getByRole('button', { name: 'Resend the link' })
      await resend.click()
      await expect(resend).toBeDisabled()
      await releaseResponse()
      await expect(page.getByText('Sent again.')).toBeVisible()

      await openMailLink(page, shop.mailbox, { to: email, subject: /Confirm your e-mail/ })
      await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()

      await angler.signOut(`${careful.url}/faq`)
      await openMailLink(page, shop.mailbox, { to: email, subject: /Confirm your e-mail/ })
      await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
    } finally {
      await careful.stop()
    }
  },
)

test('every page of a public shop with simulated payments warns that no real money is paid', async () => {
  const port = await freePort()
  const demonstration = await startShop({
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://shop.example',
    PAYFAST_MODE: 'simulator',
    ALLOW_FREE_ORDERS_WITH_SIMULATOR: 'true',
  })
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)

  try {
    for (const path of ['/', '/products', '/checkout', '/account', '/admin', '/offline', '/no-such-page']) {
      expect(await (await ask(path)).text(), path).toContain('no real money is taken')
    }
    const throughProxy = { method: 'POST', headers: { 'X-Forwarded-For': '203.0.113.9' } }
    expect((await ask('/simulator/eng/process', throughProxy)).status).toBe(400)
    expect((await ask('/dev/mail')).status).toBe(404)
  } finally {
    await demonstration.stop()
  }
})
