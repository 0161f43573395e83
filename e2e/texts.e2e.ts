import type { Locator, Page } from '@playwright/test'
import { readPage } from './fixtures/read-page.ts'
import { expect, test } from './fixtures/journey.ts'

test.use({ javaScriptEnabled: false })

const LAST_UPDATED = 'Last updated: January 2025'

interface PageText {
  /** The first heading. */
  heading: string
  /** Texts of the main part that the specification quotes. */
  says?: (string | RegExp)[]
  links?: Record<string, string>
  /** Texts of the main part that need scripts. */
  saysWithScripts?: string[]
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
  '/gallery': { heading: 'Gallery', saysWithScripts: ['Every submission is reviewed before publishing'] },
  '/size-guide': { heading: 'Size Guide', says: ['110mm', '140mm', '400mm'] },
  '/shipping-returns': {
    heading: 'Shipping & Returns',
    says: [LAST_UPDATED, /1–2 business days/, /3–5 business days/, /30.days?/, /24 hours/, 'The Courier Guy'],
  },
  '/privacy-policy': { heading: 'Privacy Policy', says: [LAST_UPDATED] },
  '/terms-of-service': { heading: 'Terms of Service', says: [LAST_UPDATED] },
  '/cookie-policy': { heading: 'Cookie Policy', says: [LAST_UPDATED] },
  '/no-such-page': { heading: 'Oops! This lure swam away', links: { 'Return to Home Waters': '/' } },
}

// covers S1.1 S2.1 S2.10 S2.24 S2.38 S2.39 S2.41 S8.21 S9.15
test('every page shows the texts that the specification quotes', async ({ page }) => {
  for (const [path, text] of [...Object.entries(pages), ['/auth', null] as const]) {
    // oxlint-disable-next-line no-await-in-loop -- one browser page visits all paths
    await test.step(path, async () => {
      const answer = await readPage(page, path)
      expect.soft(answer.status()).toBe(path === '/no-such-page' ? 404 : 200)
      if (text) await expectText(page, text)
      await expectFooter(page)
    })
  }

  // covers S2.2 S3.6
  await test.step('the home, products and collections pages show the catalogue', async () => {
    for (const path of ['/', '/products', '/collections']) {
      await readPage(page, path)
      await expect(page.getByRole('main').getByRole('article').nth(2), path).toBeVisible()
    }
  })

  // covers S1.6 S2.12 S2.15 S9.1
  await test.step('the header shows the announcement strip, navigation, search, account and cart', async () => {
    await readPage(page, '/faq')
    await expectHeader(page.getByRole('banner'))
  })
})

async function expectText(page: Page, { heading, says = [], saysWithScripts = [], links = {} }: PageText) {
  const main = page.getByRole('main')
  await expect.soft(main.getByRole('heading', { level: 1 })).toHaveText(heading)
  for (const text of says) await expect.soft(main.getByText(text).first(), String(text)).toBeVisible()
  for (const text of saysWithScripts) await expect.soft(main).toContainText(text)
  for (const [name, target] of Object.entries(links)) {
    await expect.soft(main.getByRole('link', { name }).first(), name).toHaveAttribute('href', target)
  }
}

/** In the same order on every page: newsletter, help, policies, and the legal name and address. */
async function expectFooter(page: Page): Promise<void> {
  const footer = page.getByRole('contentinfo')
  await expect.soft(footer.getByRole('form', { name: 'Newsletter' })).toBeVisible()
  await expect
    .soft(footer.getByRole('heading', { level: 2 }))
    .toHaveText(['Newsletter', 'Shop', 'Help', 'Policies', 'Talk to us'])
  const legal = footer.getByText(/Saltfreak Lures\. .+14 Harbour View Road, Port Alfred/)
  await expect.soft(legal).toBeVisible()
  await expect.soft(footer.getByText('© 2025 Saltfreak. All rights reserved.')).toBeVisible()
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
    // Without scripts the newsletter form gives the e-mail address as well.
    const link = footer.getByRole('link', { name, exact: true }).last()
    await expect.soft(link).toHaveAttribute('href', target)
  }
}

async function expectHeader(header: Locator): Promise<void> {
  await expect(header.getByRole('navigation', { name: 'Quick links' }).getByRole('link')).toHaveText([
    'About Us',
    'Contact',
    'FAQ',
  ])
  await expect(header.getByText('Free shipping on orders over R1500')).toBeVisible()
  await expect(header.getByRole('link', { name: '+27 82 555 0148' })).toBeVisible()
  const main = header.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(main).toHaveText(['HOME', 'PRODUCTS', 'ABOUT', 'GALLERY'])
  for (const [index, target] of ['/', '/products', '/about', '/gallery'].entries()) {
    await expect(main.nth(index)).toHaveAttribute('href', target)
  }
  await expect(header.getByRole('button', { name: 'Search' })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth?redirect=%2Ffaq')
  await expect(header.getByRole('button', { name: 'Cart' })).toBeVisible()
}
