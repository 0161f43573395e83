import { randomUUID } from 'node:crypto'
import { keepToastsInPage } from '../fixtures/keep-toasts.ts'
import type { Walker } from './walker.ts'

export const button = (name: string | RegExp) => ({ role: 'button' as const, name })
export const link = (name: string | RegExp) => ({ role: 'link' as const, name })
export const heading = (name: string | RegExp) => ({ role: 'heading' as const, name })
export const text = (name: string | RegExp) => ({ role: 'text' as const, name })
export const dialog = (name: string | RegExp) => ({ role: 'dialog' as const, name })

const PASSWORD = 'salt-water-42'

/** Stores the answers to the dialogs of a first visit. */
export async function greeted(walker: Walker): Promise<void> {
  await walker.evaluate(
    `localStorage.setItem('cookie_consent', '{"hasResponded":true,"cookiesAccepted":false}'), sessionStorage.setItem('discount_popup_shown', 'true')`,
  )
}

export async function signUp(walker: Walker): Promise<void> {
  await walker.press({ role: 'tab', name: 'Sign Up' })
  await walker.type('Full Name', 'Thandi Mokoena')
  await walker.type('E-mail', `thandi-${randomUUID()}@example.com`)
  await walker.type(/^Password/, PASSWORD)
  await walker.press(button('Sign Up'))
}

export async function addsALure(walker: Walker): Promise<void> {
  await walker.open('/products/slow-sinking-stick-bait-180/blue-reaper')
  await walker.call(keepToastsInPage)
  await walker.press(button(/^With Hooks/))
  await walker.press(button(/^Add to Cart/))
  await walker.see(text('Added to cart'))
  await walker.checkToasts()
}

/** Removes APIs that an older supported engine lacks until the next full page load; client-side navigation keeps them removed. */
export async function withoutNewerApis(walker: Walker): Promise<void> {
  await walker.evaluate(
    `[delete URL.parse, delete Element.prototype.checkVisibility, delete Promise.withResolvers, delete Object.groupBy, window.isOlderEngine = true].length`,
  )
}

export async function isStillOlder(walker: Walker): Promise<void> {
  if (!(await walker.evaluate<boolean>('window.isOlderEngine === true && !URL.parse')))
    throw new Error('the page was loaded anew, with the APIs that were to be missing')
}
