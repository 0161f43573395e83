import { expect, test } from './fixtures/journey.ts'

const LAST_UPDATED = 'Last updated: January 2025'

interface PageText {
  /** The first heading. */
  heading: string
  /** What the main part says, as the specification quotes it. */
  says?: (string | RegExp)[]
  links?: Record<string, string>
}

const pages: Record<string, PageText> = {
  '/': {
    heading: 'Premium Fishing Lures',
    says: [
      'Get Your Freak On with Professional Grade Tackle',
      /shaped by hand, sealed, painted in thin coats/,
      'Our Range',
      'The Saltfreak Experience',
    ],
    links: { 'Shop All Products': '/products', 'View Collections': '/collections', 'View All': '/products' },
  },
  '/products': { heading: 'Our Products', says: ['Our Story'] },
  '/collections': { heading: 'Collections', says: ['Stick Baits', 'Poppers'] },
  '/about': { heading: 'About Us', says: [/two brothers/i, /poppers/, /stick baits/] },
  '/contact': {
    heading: 'Contact',
    says: ['Mon-Fri 8am-6pm', 'Sat 9am-4pm', 'Sun closed', 'South Africa'],
    links: {
      '+27 82 555 0148': 'tel:+27825550148',
      'hello@saltfreak.example': 'mailto:hello@saltfreak.example',
    },
  },
  '/faq': { heading: 'Frequently Asked Questions' },
  '/gallery': { heading: 'Gallery', says: [/Every submission is reviewed before publishing/] },
  '/size-guide': { heading: 'Size Guide', says: ['110mm', '140mm', '400mm'] },
  '/shipping-returns': {
    heading: 'Shipping & Returns',
    says: [LAST_UPDATED, /1–2 business days/, /3–5 business days/, /30.days?/, /24 hours/, 'The Courier Guy'],
  },
  '/privacy-policy': { heading: 'Privacy Policy', says: [LAST_UPDATED] },
  '/terms-of-service': { heading: 'Terms of Service', says: [LAST_UPDATED] },
  '/cookie-policy': { heading: 'Cookie Policy', says: [LAST_UPDATED] },
  '/payment-success': { heading: 'Thank you', links: { 'Continue Shopping': '/' } },
  '/payment-cancelled': {
    heading: 'Payment Cancelled',
    links: { 'Try Again': '/checkout', 'Return to Home': '/' },
  },
  '/no-such-page': { heading: 'Oops! This lure swam away', links: { 'Return to Home Waters': '/' } },
}

test('every page says what it is specified to say', async ({ page }) => {
  for (const [path, { heading, says = [], links = {} }] of Object.entries(pages)) {
    const answer = await page.goto(path)
    expect.soft(answer?.status(), path).toBe(path === '/no-such-page' ? 404 : 200)
    const main = page.getByRole('main')
    await expect.soft(main.getByRole('heading', { level: 1 }), path).toHaveText(heading)
    for (const text of says) await expect.soft(main.getByText(text).first(), `${path}: ${text}`).toBeVisible()
    for (const [name, target] of Object.entries(links)) {
      await expect
        .soft(main.getByRole('link', { name }).first(), `${path}: ${name}`)
        .toHaveAttribute('href', target)
    }
  }
})

test('the range hangs on home, products and collections', async ({ page }) => {
  for (const path of ['/', '/products', '/collections']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('article').nth(2), path).toBeVisible()
  }
})

test('the header has the strip, the navigation, search, account and cart', async ({ page }) => {
  await page.goto('/faq')
  const header = page.getByRole('banner')

  await expect(header.getByRole('navigation', { name: 'Quick links' }).getByRole('link')).toHaveText([
    'About Us',
    'Contact',
    'FAQ',
  ])
  await expect(header.getByText('Free shipping on orders over R1500')).toBeVisible()
  await expect(header.getByRole('link', { name: '+27 82 555 0148' })).toBeVisible()
  const main = header.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(main).toHaveText(['HOME', 'PRODUCTS', 'ABOUT', 'GALLERY'])
  expect(await main.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    '/',
    '/products',
    '/about',
    '/gallery',
  ])
  await expect(header.getByRole('button', { name: 'Search' })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth?redirect=%2Ffaq')
  await expect(header.getByRole('button', { name: 'Cart' })).toBeVisible()
})

test('the footer stands in the same order on every page: newsletter, help, policies, who trades', async ({
  page,
}) => {
  for (const path of [...Object.keys(pages), '/auth']) {
    await page.goto(path)
    const footer = page.getByRole('contentinfo')
    await expect.soft(footer.getByRole('form', { name: 'News from the bench' }), path).toBeVisible()
    await expect
      .soft(footer.getByRole('heading', { level: 2 }), path)
      .toHaveText(['News from the bench', 'Shop', 'Help', 'Policies', 'Talk to us'])
    const legal = footer.getByText(/Saltfreak Lures\. .+14 Harbour View Road, Port Alfred/)
    await expect.soft(legal, path).toBeVisible()
    await expect.soft(footer.getByText('© 2025 Saltfreak. All rights reserved.'), path).toBeVisible()
    for (const [name, target] of [
      ['+27 82 555 0148', 'tel:+27825550148'],
      ['hello@saltfreak.example', 'mailto:hello@saltfreak.example'],
      ['WhatsApp', 'https://wa.me/27825550148'],
      ['FAQ', '/faq'],
      ['Shipping & Returns', '/shipping-returns'],
      ['Terms of Service', '/terms-of-service'],
      ['Privacy Policy', '/privacy-policy'],
      ['Cookie Policy', '/cookie-policy'],
    ] as const) {
      await expect.soft(footer.getByRole('link', { name, exact: true }), path).toHaveAttribute('href', target)
    }
  }
})

test('a message that is not kept is logged with what failed', async ({ page }) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/rest/v1/contact_submissions*', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/contact', { waitUntil: 'networkidle' })
  await page.getByLabel('Name').fill('Sipho')
  await page.getByLabel('E-mail', { exact: true }).fill('sipho@example.com')
  await page.getByLabel('Subject').fill('Hooks')
  await page.getByLabel('Message').fill('Which hooks do you use?')
  const send = page.getByRole('button', { name: 'Send Message' })

  await send.click()
  await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible()
  await expect.poll(() => logged.join()).toContain('Failed to save contact submission')

  await page.unroute('**/rest/v1/contact_submissions*')
  await page.route('**/functions/v1/send-contact-notification', (route) => route.fulfill({ status: 500 }))
  await send.click()
  await expect(page.getByText("Thank you! We'll get back to you soon.")).toBeVisible()
  await expect.poll(() => logged.join()).toContain('Failed to send email notification')
})
