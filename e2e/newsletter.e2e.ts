import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'

const form = (page: Page) => page.getByRole('form', { name: 'News from the bench' })
const subscribe = (page: Page) => form(page).getByRole('button', { name: 'Subscribe' }).click()

async function fill(page: Page, email: string): Promise<void> {
  await page.goto('/size-guide', { waitUntil: 'networkidle' })
  await form(page).getByLabel('E-mail address').fill(email)
  await form(page).getByLabel('I agree to the Terms & Conditions').check()
}

test('the footer asks for an address and the terms, takes both, and is empty again', async ({
  page,
  shop,
  staff,
}) => {
  const email = `reader-${crypto.randomUUID()}@example.com`
  await page.goto('/size-guide', { waitUntil: 'networkidle' })
  await expect(form(page).getByLabel(/news and offers/)).not.toBeChecked()

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

  await expect(page.getByText('Thank you for subscribing!')).toBeVisible()
  await expect(form(page).getByLabel('E-mail address')).toHaveValue('')
  await expect(form(page).getByLabel('I agree to the Terms & Conditions')).not.toBeChecked()
  const list = await staff.from('newsletter_signups').select('source, accepted_terms').eq('email', email)
  expect(list.data).toEqual([{ source: 'footer', accepted_terms: true }])
  const ledger = () => staff.from('marketing_consents').select('is_given, wording').eq('email', email)
  const mail = await shop.mailbox.waitFor(({ recipients }) => recipients.includes(email))
  expect((await ledger()).data).toEqual([])

  await page.goto(/https?:\/\/\S+\/mail\/confirm\/[0-9a-f]+/.exec(mail.text ?? '')?.[0] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  expect((await ledger()).data).toEqual([
    { is_given: true, wording: 'Yes, e-mail me news and offers. I can unsubscribe at any time.' },
  ])
  await shop.mailbox.waitFor(
    ({ recipients, subject }) => recipients.includes(email) && (subject ?? '').startsWith('Welcome'),
  )
})

test('on a phone the boxes stand above the button that needs them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/size-guide', { waitUntil: 'networkidle' })
  const topOf = async (name: 'checkbox' | 'button') =>
    (await form(page).getByRole(name).last().boundingBox())?.y ?? 0

  expect(await topOf('checkbox')).toBeLessThan(await topOf('button'))
})

test('without the marketing box nothing is consented to, and the thanks say that no news will come', async ({
  page,
  staff,
}) => {
  const email = `reader-${crypto.randomUUID()}@example.com`
  await fill(page, email)

  await subscribe(page)

  await expect(page.getByText('Thank you for subscribing!')).toBeVisible()
  await expect(page.getByText("You haven't ticked the box for news, so we won't send any.")).toBeVisible()
  expect((await staff.from('marketing_consents').select('id').eq('email', email)).data).toEqual([])
})

test('an address that is on the list is told so, and a failure keeps what was typed', async ({
  page,
  staff,
}) => {
  const email = `reader-${crypto.randomUUID()}@example.com`
  await staff.from('newsletter_signups').insert({ email })
  await fill(page, email)

  await subscribe(page)
  await expect(
    page.getByRole('status').filter({ hasText: 'This address is already on our list.' }),
  ).toBeVisible()

  await page.route('**/rest/v1/newsletter_signups*', (route) => route.abort())
  await subscribe(page)
  await expect(page.getByRole('alert')).toContainText('Failed to subscribe. Please try again.')
  await expect(form(page).getByLabel('E-mail address')).toHaveValue(email)
})
