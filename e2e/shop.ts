import { type BrowserContext, type LaunchOptions, test as base } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { limitOf } from './engines/limits.ts'
import { keepToastsInPage } from './fixtures/keep-toasts.ts'
import { type Mailbox, openMailbox } from '#test/mailbox.ts'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { stickBait } from '#test/shopping.ts'

export interface OpenShop extends RunningShop {
  admin: { email: string; password: string }
  /** The mail server that receives the shop's mails. */
  mailbox: Mailbox
}

interface Worker {
  shop: OpenShop
  /** Whether the browser loads pictures. They cost a fifth of a journey's processor time, so only files about pictures turn this on. */
  hasPictures: boolean
}

export interface Visit {
  /** Whether the visitor has answered the cookie banner and seen the discount before; false in tests of those two. */
  isGreeted: boolean
  /** Skips a journey that the engine's driver cannot go. */
  isWithinLimits: boolean
}

/**
 * Each worker has its own shop: a real process, its database, a real mail server on loopback. Journeys import their
 * `test` from fixtures/journey.ts: Playwright starts another worker, and so another shop, for another set of worker fixtures.
 */
export const shopTest = base.extend<Visit, Worker>({
  isGreeted: [true, { option: true }],
  isWithinLimits: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from the pattern
    async ({}, use, testInfo) => {
      const reason = limitOf(testInfo.project.name, testInfo.title)
      testInfo.skip(reason !== undefined, reason)
      await use(true)
    },
    { auto: true },
  ],
  hasPictures: [false, { option: true, scope: 'worker' }],
  launchOptions: [
    ({ launchOptions, browserName, hasPictures }, use) =>
      use(hasPictures ? launchOptions : withoutPictures(launchOptions, browserName)),
    { scope: 'worker' },
  ],
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const mailbox = await openMailbox()
      const { PROCESSES = '1' } = process.env
      const running = await startShop({ SMTP_URL: mailbox.smtpUrl, PROCESSES })
      try {
        if (!running.admin) throw new Error('a new shop saved no first admin')
        await fillShelf(running)
        await use({ ...running, admin: running.admin, mailbox })
      } finally {
        await running.stop()
        await mailbox.close()
      }
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ shop }, use) => use(shop.url),
  context: async ({ context, isGreeted }, use) => {
    await context.addInitScript(keepToastsInPage)
    if (isGreeted) {
      await context.addInitScript(() => {
        // Firefox runs it in the blank first page as well, which has no storage.
        if (origin === 'null') return
        localStorage.setItem('cookie_consent', '{"hasResponded":true,"cookiesAccepted":false}')
        sessionStorage.setItem('discount_popup_shown', 'true')
      })
    }
    await use(context)
    await endInterceptions(context)
  },
})

/** A handler that is at work when the journey ends would fail it. */
export async function endInterceptions(context: BrowserContext): Promise<void> {
  const pages = context.pages()
  await Promise.all([context, ...pages].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })))
}

/** Raises the stock, because the journeys of a worker buy more lures than the seed has. */
async function fillShelf(shop: RunningShop): Promise<void> {
  const { secret } = await shop.keys()
  const { error } = await createClient<ShopDatabase>(shop.url, secret, { auth: { persistSession: false } })
    .from('product_variants')
    .update({ stock_quantity: 500 })
    .eq('name', stickBait.product_variant)
  if (error) throw error
}

/** WebKit has a setting for it, with which pages never finish loading. */
function withoutPictures(options: LaunchOptions, browserName: string): LaunchOptions {
  switch (browserName) {
    case 'chromium':
      return { ...options, args: [...(options.args ?? []), '--blink-settings=imagesEnabled=false'] }
    case 'firefox':
      return { ...options, firefoxUserPrefs: { ...options.firefoxUserPrefs, 'permissions.default.image': 2 } }
    default:
      return options
  }
}
