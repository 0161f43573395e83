import { randomInt } from 'node:crypto'
import {
  addsALure,
  button,
  dialog,
  greeted,
  heading,
  isStillOlder,
  link,
  signUp,
  withoutNewerApis,
} from './steps.ts'
import type { Walker } from './walker.ts'

export async function buysALure(walker: Walker): Promise<void> {
  await walker.engine.resize(390, 844)
  await walker.open('/')
  await greeted(walker)
  await walker.open('/')
  await walker.screenshot('390-home')
  await walker.press(link('Shop All Products'))
  await walker.see(heading('Our Products'))
  await walker.press(link(/Slow Sinking Stick Bait/))
  await walker.isAt(/^\/products\/slow-sinking-stick-bait-180/)
  await walker.screenshot('390-lure')
  await addsALure(walker)
  await walker.screenshot('390-added')
  await walker.press(button(/^Cart/))
  await walker.see(dialog(/Shopping Cart/))
  await walker.checkToasts()
  await walker.screenshot('390-drawer')
  await walker.press(link('Sign In to Checkout'))
  await walker.isAt(/^\/auth\?redirect=/)
  await signUp(walker)
  await walker.see(heading('Checkout'))
  await fillDelivery(walker)
  await walker.screenshot('390-checkout')
  await walker.press({ role: 'checkbox', name: /I accept/ })
  await walker.press(button(/^Place Order/))
  await walker.see(heading(/^Pay R/))
  await walker.press(button(/^Pay /))
  await walker.see(heading('Payment Successful!'))
  await walker.screenshot('390-thank-you')
}

async function fillDelivery(walker: Walker): Promise<void> {
  await walker.type('Phone', `082 ${randomInt(100, 999)} ${randomInt(1000, 9999)}`)
  await walker.press({ role: 'radio', name: /Locker/ })
  await walker.type('Nearest Locker Location', 'Spar, Kenton-on-Sea')
  await walker.type('Street Address', '12 Beach Road')
  await walker.type('City', 'Kenton-on-Sea')
  await walker.type('Postal Code', '6191')
  await walker.until('the province is filled in', () =>
    walker.evaluate<boolean>(`document.querySelector('select[name=state]').value === 'Eastern Cape'`),
  )
}

/** Signs in on the way to the checkout in an engine without `URL.parse` and without `checkVisibility`. */
export async function signsInWithoutNewerApis(walker: Walker): Promise<void> {
  await walker.engine.resize(1440, 900)
  await walker.open('/faq')
  await walker.evaluate('localStorage.clear()')
  await walker.open('/products/slow-sinking-stick-bait-180/blue-reaper')
  await withoutNewerApis(walker)
  await walker.see({ role: 'region', name: 'Cookies?' })
  await walker.press(button(/^With Hooks/))
  await walker.press(button(/^Add to Cart/))
  await walker.press(button(/^Cart/))
  await walker.see(dialog(/Shopping Cart/))
  await walker.press(link('Sign In to Checkout'))
  await walker.isAt(/^\/auth\?redirect=/)
  await walker.see({ role: 'region', name: 'Cookies?' })
  await signUp(walker)
  await walker.see(heading('Checkout'))
  await walker.see({ role: 'field', name: 'Phone' })
  await isStillOlder(walker)
  await walker.screenshot('1440-checkout')
}
