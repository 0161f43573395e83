import type { Page, Response } from '@playwright/test'
import { holdResponses } from './fixtures/hold-responses.ts'
import { openHydrated } from './fixtures/hydration.ts'
import { intercept } from './fixtures/intercept.ts'
import { expect, test } from './fixtures/journey.ts'
import { readPage } from './fixtures/read-page.ts'

const TOO_MANY = 'Too many requests. Please try again later.'
const MESSAGE = 'Could you paint one like a sardine, please?'

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the help and policy pages are complete without scripts', async ({ page }) => {
    // covers S49
    await test.step('every page linked in header and footer exists and has one title', async () => {
      await readPage(page, '/')
      const links = page.locator('header a[href^="/"], footer a[href^="/"]')
      const targets = await links.all()
      const paths = new Set(await Promise.all(targets.map((link) => link.getAttribute('href'))))
      expect(paths.size).toBeGreaterThan(10)
      for (const path of paths) {
        const answer = await page.request.get(path ?? '')
        expect.soft(answer.status(), path ?? '').toBe(200)
        expect.soft((await answer.text()).match(/<h1[\s>]/g), path ?? '').toHaveLength(1)
      }
    })

    // covers S2.8
    await test.step('policies show the date, and every entry of the table of contents has a target', async () => {
      for (const path of ['/terms-of-service', '/privacy-policy', '/cookie-policy', '/shipping-returns']) {
        await readPage(page, path)
        await expect(page.getByText('Last updated: January 2025')).toBeVisible()
        const entries = await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').all()
        expect(entries.length).toBeGreaterThan(3)
        for (const entry of entries) {
          const target = (await entry.getAttribute('href')) ?? ''
          await expect(page.locator(target), `${path}${target}`).toHaveCount(1)
        }
      }
    })

    // covers S2.6
    await test.step('the ten frequent questions open without scripts', async () => {
      await readPage(page, '/faq')
      await expect(page.getByRole('main').locator('details')).toHaveCount(10)
      await page.getByText('What does shipping cost?').click()
      await expect(page.getByText(/R100 anywhere in South Africa/)).toBeVisible()
    })

    // covers S2.40 S10
    await test.step('the size guide names the three sizes and the lures of the catalogue', async () => {
      await readPage(page, '/size-guide')
      for (const [name, length] of [
        ['Small', '110mm'],
        ['Medium', '140mm'],
        ['Large', '400mm'],
        ['Chisel Nose Popper 200mm/50G', '200mm'],
      ] as const) {
        const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
        await expect(row.getByRole('cell', { name: length })).toBeVisible()
      }
      await expect(page.getByRole('rowheader', { name: 'Chisel Nose Popper 200mm/50G' })).toContainText(
        'between Medium and Large',
      )
    })
  })
})

async function fillMessage(page: Page, { subject }: { subject: string }): Promise<void> {
  await page.getByLabel('Name').fill('Sipho Dlamini')
  await page.getByLabel('E-mail', { exact: true }).fill('sipho@example.com')
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill(MESSAGE)
}

test('a contact message stays in the form until the shop has received the message', async ({
  page,
  shop,
  staff,
}) => {
  const scripts: Promise<string>[] = []
  const collect = (response: Response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text())
  }
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  // Firefox's protocol passes on an error without its message.
  await page.addInitScript(() => {
    const { error } = console
    console.error = (...values) => error(...values.map(String))
  })
  const send = page.getByRole('button', { name: 'Send Message' })

  await test.step('the first view of the contact page loads no validation and no backend client', async () => {
    page.on('response', collect)
    await openHydrated(page, '/contact')
    await page.waitForLoadState('networkidle')
    page.off('response', collect)
    const bodies = await Promise.all(scripts)
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies) expect(body).not.toMatch(/GoTrueClient|Subject must be at least/)
  })

  // covers S1.5 S2.38 S7.13 S8.17
  await test.step('a contact message reaches the shop, and the form is cleared', async () => {
    const subject = `Sardine ${crypto.randomUUID()}`
    await fillMessage(page, { subject })
    const release = await holdResponses(page, '**/rest/v1/contact_submissions*', { method: 'POST' })
    await page.getByLabel('Subject').press('Enter')
    await expect(page.getByLabel('Message')).not.toBeEditable()
    await expect(page.getByLabel('Subject')).toBeFocused()
    await release()
    await expect(page.getByText("Thank you! We'll get back to you soon.")).toBeVisible()
    await expect(page.getByLabel('Message')).toHaveValue('')
    const saved = await staff
      .from('contact_submissions')
      .select('name, email, message')
      .eq('subject', subject)
    expect(saved.data).toEqual([{ name: 'Sipho Dlamini', email: 'sipho@example.com', message: MESSAGE }])
    const mail = await shop.mailbox.waitFor((received) => Boolean(received.subject?.includes(subject)))
    expect(mail.text).toContain(MESSAGE)
  })

  await test.step('a contact message that the shop rejects stays in the form', async () => {
    await intercept(page, '**/rest/v1/contact_submissions*', (route) => route.abort())
    await fillMessage(page, { subject: 'Lost line' })
    await send.click()
    await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible()
    await expect(page.getByLabel('Message')).toHaveValue(MESSAGE)

    const atLimit = { code: 'PT429', message: TOO_MANY, details: 'too_many_sent', hint: null }
    await page.unroute('**/rest/v1/contact_submissions*')
    await intercept(page, '**/rest/v1/contact_submissions*', (route) =>
      route.fulfill({ status: 429, json: atLimit }),
    )
    await send.click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'Failed to send message. Please try again.' }),
    ).toContainText(TOO_MANY)
  })

  // covers S8.17
  await test.step('a contact message that is not stored is logged with the error', async () => {
    await expect.poll(() => logged.join()).toContain('Failed to save contact submission')
    logged.length = 0
    await page.unroute('**/rest/v1/contact_submissions*')
    await intercept(page, '**/rest/v1/contact_submissions*', (route) =>
      route.fulfill({ status: 503, json: {} }),
    )
    await send.click()
    await expect.poll(() => logged.join()).toContain('Failed to save contact submission')
    await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible()

    await page.unroute('**/rest/v1/contact_submissions*')
    await intercept(page, '**/functions/v1/send-contact-notification', (route) =>
      route.fulfill({ status: 500 }),
    )
    await send.click()
    await expect(page.getByText("Thank you! We'll get back to you soon.")).toBeVisible()
    await expect(page.getByLabel('Message')).toHaveValue('')
    await expect.poll(() => logged.join()).toContain('Failed to send email notification')
  })

  // covers S5.16
  await test.step('each error in a contact message appears at the field and in a toast', async () => {
    await page.getByLabel('E-mail', { exact: true }).fill('sipho')
    await page.getByLabel('Subject').fill('Hi')
    await page.getByLabel('Message').fill('Too short')
    await send.click()
    const toasts = page.getByRole('alert')
    const errors = {
      Name: 'Name must be at least 2 characters',
      'E-mail': 'Invalid email address',
      Subject: 'Subject must be at least 3 characters',
      Message: 'Message must be at least 10 characters',
    }
    await expect(toasts).toHaveCount(4)
    for (const [field, text] of Object.entries(errors)) {
      await expect(page.getByLabel(field, { exact: true })).toHaveAccessibleDescription(text)
      await expect(toasts.filter({ hasText: text })).toBeVisible()
    }
    await expect(page.getByLabel('Name')).toBeFocused()

    await page.getByLabel('Name').fill('Sipho')
    await send.click()
    await expect(toasts).toHaveCount(3)
    await page.getByRole('banner').getByRole('link', { name: 'GALLERY' }).click()
    await expect(page).toHaveURL('/gallery')
    await expect(toasts).toHaveCount(0)
  })
})
