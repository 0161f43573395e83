import type { Page } from '@playwright/test'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated, waitForHydration } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'

const form = (page: Page) => page.getByRole('form', { name: 'Newsletter' })
const subscribe = (page: Page) => form(page).getByRole('button', { name: 'Subscribe' }).click()

async function fill(page: Page, email: string): Promise<void> {
  await form(page).getByLabel('E-mail address').fill(email)
  await form(page).getByLabel('I agree to the Terms & Conditions').check()
}

const CONFIRMATION = '**/functions/v1/send-newsletter-signup'

const newEmail = () => `reader-${crypto.randomUUID()}@example.com`

test('the newsletter form accepts an address, reports missing fields and subscribes only after a confirmation', async ({
  page,
  shop,
  staff,
}) => {
  const consents = async (email: string) =>
    (await staff.from('marketing_consents').select('is_given, wording').eq('email', email)).data
  const thanks = page.getByText('Thank you for subscribing!')

  await test.step('the newsletter form’s checkboxes are above the button on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openHydrated(page, '/size-guide')
    const topOf = async (name: 'checkbox' | 'button') =>
      (await form(page).getByRole(name).last().boundingBox())?.y ?? 0
    expect(await topOf('checkbox')).toBeLessThan(await topOf('button'))
  })

  await test.step('the address that was in the form at the press is subscribed, even if the form’s code loads later', async () => {
    const release = await holdResponses(page, '**/assets/submit-footer-form-*')
    const [email, next] = [newEmail(), newEmail()]
    await fill(page, email)
    await subscribe(page)
    await form(page).getByLabel('E-mail address').fill(next)
    await release()
    await expect(thanks).toBeVisible()
    await expect(form(page).getByLabel('E-mail address')).toHaveValue(next)
    const list = await staff.from('newsletter_signups').select('email').in('email', [email, next])
    expect(list.data).toEqual([{ email }])
    await page.reload()
    await waitForHydration(page)
  })

  await test.step('a sign-up for news whose confirmation could not be requested is reported, and can be repeated', async () => {
    const email = newEmail()
    await intercept(page, CONFIRMATION, (route) => route.abort())
    await fill(page, email)
    await form(page)
      .getByLabel(/news and offers/)
      .check()
    await subscribe(page)
    await expect(page.getByRole('alert')).toContainText('Failed to subscribe. Please try again.')
    await expect(thanks).toBeHidden()
    await page.unroute(CONFIRMATION)

    await subscribe(page)
    await expect(thanks).toBeVisible()
    await shop.mailbox.waitFor(({ recipients }) => recipients.includes(email))
    await page.reload()
    await waitForHydration(page)
  })

  // covers S8.9
  await test.step('a subscribed address gets a message, and a failed sign-up keeps the typed text', async () => {
    const email = newEmail()
    await staff.from('newsletter_signups').insert({ email })
    await fill(page, email)
    await subscribe(page)
    await expect(
      page.getByRole('status').filter({ hasText: 'This address is already on our list.' }),
    ).toBeVisible()

    await intercept(page, '**/rest/v1/newsletter_signups*', (route) => route.abort())
    await subscribe(page)
    await expect(page.getByRole('alert')).toContainText('Failed to subscribe. Please try again.')
    await expect(form(page).getByLabel('E-mail address')).toHaveValue(email)
    await page.unroute('**/rest/v1/newsletter_signups*')
  })

  // covers S5.8 S39
  await test.step('a newsletter sign-up without the marketing box records no consent', async () => {
    const email = newEmail()
    await fill(page, email)
    await expect(form(page).getByLabel(/news and offers/)).not.toBeChecked()
    await subscribe(page)
    await expect(thanks).toBeVisible()
    await expect(page.getByText("You haven't ticked the box for news, so we won't send any.")).toBeVisible()
    expect(await consents(email)).toEqual([])
    await expect(form(page).getByLabel('E-mail address')).toHaveValue('')
    await expect(form(page).getByLabel('I agree to the Terms & Conditions')).not.toBeChecked()
  })

  await test.step('an address that is typed while another one is subscribed stays in the form', async () => {
    const release = await holdResponses(page, '**/rest/v1/newsletter_signups*')
    await fill(page, newEmail())
    await subscribe(page)
    const next = newEmail()
    await form(page).getByLabel('E-mail address').fill(next)
    await release()
    await expect(form(page).getByRole('button', { name: 'Subscribe' })).toBeEnabled()
    await expect(form(page).getByLabel('E-mail address')).toHaveValue(next)
    await form(page).getByLabel('I agree to the Terms & Conditions').uncheck()
    await form(page).getByLabel('E-mail address').clear()
  })

  // covers S4.23 S6.3 S8.9
  await test.step('the footer form requires an address and accepted terms, and is cleared after sending', async () => {
    const email = newEmail()
    await subscribe(page)
    await expect(page.getByRole('alert')).toContainText('Please enter your email')
    await expect(form(page).getByLabel('E-mail address')).toBeFocused()
    await form(page).getByLabel('E-mail address').fill(email)
    await subscribe(page)
    await expect(page.getByRole('alert')).toContainText('Please accept the Terms & Conditions')
    await form(page).getByLabel('I agree to the Terms & Conditions').check()
    await form(page)
      .getByLabel(/news and offers/)
      .check()
    await subscribe(page)

    await expect(thanks).toBeVisible()
    const mail = await shop.mailbox.waitFor(({ recipients }) => recipients.includes(email))
    await expect(form(page).getByLabel('E-mail address')).toHaveValue('')
    await expect(form(page).getByLabel('I agree to the Terms & Conditions')).not.toBeChecked()
    const list = await staff.from('newsletter_signups').select('source, accepted_terms').eq('email', email)
    expect(list.data).toEqual([{ source: 'footer', accepted_terms: true }])
    expect(await consents(email)).toEqual([])

    await fill(page, email)
    await form(page)
      .getByLabel(/news and offers/)
      .check()
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await expect(thanks).toBeHidden()
    await subscribe(page)
    await expect(page.getByText('We’ve already e-mailed this address')).toBeVisible()
    await expect(thanks).toBeHidden()

    await page.goto(/https?:\/\/\S+\/mail\/confirm\/[0-9a-f]+/.exec(mail.text ?? '')?.[0] ?? '')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    expect(await consents(email)).toEqual([
      { is_given: true, wording: 'Yes, e-mail me news and offers. I can unsubscribe at any time.' },
    ])
    await shop.mailbox.waitFor(
      ({ recipients, subject }) => recipients.includes(email) && (subject ?? '').startsWith('Welcome'),
    )
  })
})
