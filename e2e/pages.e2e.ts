import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'

const MESSAGE = 'Could you paint one like a sardine, please?'

async function writeMessage(page: Page, { subject }: { subject: string }): Promise<void> {
  await page.goto('/contact')
  await page.getByLabel('Name').fill('Sipho Dlamini')
  await page.getByLabel('E-mail', { exact: true }).fill('sipho@example.com')
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill(MESSAGE)
}

test('every page that header and footer lead to is there, with one title', async ({ page }) => {
  await page.goto('/')
  const links = page.locator('header a[href^="/"], footer a[href^="/"]')
  const paths = new Set(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '')))
  expect(paths.size).toBeGreaterThan(10)

  for (const path of paths) {
    const answer = await page.goto(path, { waitUntil: 'domcontentloaded' })
    expect.soft(answer?.status(), path).toBe(200)
    await expect.soft(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
  }
})

test('policies say from when they are, and every entry of their contents leads somewhere', async ({
  page,
}) => {
  for (const path of ['/terms-of-service', '/privacy-policy', '/cookie-policy', '/shipping-returns']) {
    await page.goto(path)
    await expect(page.getByText('Last updated: January 2025')).toBeVisible()
    const entries = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const targets = await entries.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(targets.length).toBeGreaterThan(3)
    for (const target of targets) await expect(page.locator(target), `${path}${target}`).toHaveCount(1)
  }
})

test('ten questions open without scripts', async ({ browser, shop }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${shop.url}/faq`)
  await expect(page.getByRole('main').locator('details')).toHaveCount(10)

  await page.getByText('What does shipping cost?').click()

  await expect(page.getByText(/R100 anywhere in South Africa/)).toBeVisible()
})

test('the size guide names the three sizes and the lures of the catalogue', async ({ page }) => {
  await page.goto('/size-guide')

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

test('a message reaches the shop, and the form is ready for the next', async ({ page, shop, staff }) => {
  const subject = `Sardine ${crypto.randomUUID()}`
  await writeMessage(page, { subject })

  await page.getByRole('button', { name: 'Send Message' }).click()

  await expect(page.getByText("Thank you! We'll get back to you soon.")).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue('')
  const { data } = await staff
    .from('contact_submissions')
    .select('name, email, message')
    .eq('subject', subject)
  expect(data).toEqual([{ name: 'Sipho Dlamini', email: 'sipho@example.com', message: MESSAGE }])
  const mail = await shop.mailbox.waitFor((received) => Boolean(received.subject?.includes(subject)))
  expect(mail.text).toContain(MESSAGE)
})

test('each mistake in a message is told at its field and in a toast of its own, until it is sent again', async ({
  page,
}) => {
  await page.goto('/contact')
  await page.getByLabel('E-mail', { exact: true }).fill('sipho')
  await page.getByLabel('Subject').fill('Hi')
  await page.getByLabel('Message').fill('Too short')

  await page.getByRole('button', { name: 'Send Message' }).click()

  const toasts = page.getByRole('alert')
  await expect(toasts).toHaveCount(4)
  for (const [field, text] of [
    ['Name', 'Name must be at least 2 characters'],
    ['E-mail', 'Invalid email address'],
    ['Subject', 'Subject must be at least 3 characters'],
    ['Message', 'Message must be at least 10 characters'],
  ] as const) {
    await expect(page.getByLabel(field, { exact: true })).toHaveAccessibleDescription(text)
    await expect(toasts.filter({ hasText: text })).toBeVisible()
  }
  await expect(page.getByLabel('Name')).toBeFocused()

  await page.getByLabel('Name').fill('Sipho')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(toasts).toHaveCount(3)
  await page.getByRole('banner').getByRole('link', { name: 'GALLERY' }).click()
  await expect(page).toHaveURL('/gallery')
  await expect(toasts).toHaveCount(0)
})

test('a message that is not taken stays in the form', async ({ page }) => {
  await writeMessage(page, { subject: 'Lost line' })
  await page.route('**/rest/v1/contact_submissions*', (route) => route.abort())

  await page.getByRole('button', { name: 'Send Message' }).click()

  await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue(MESSAGE)
})

test('the first view of the contact page brings no validation and no backend client', async ({ page }) => {
  const scripts: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text())
  })

  await page.goto('/contact', { waitUntil: 'networkidle' })

  const bodies = await Promise.all(scripts)
  expect(bodies.length).toBeGreaterThan(0)
  for (const body of bodies) expect(body).not.toMatch(/GoTrueClient|Subject must be at least/)
})
