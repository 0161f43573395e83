import { POPPER_150 } from '#test/product-names.ts'
import { test } from './fixtures/journey.ts'

test.use({ isGreeted: false })

test(
  'a browser with blocked storage can complete a purchase',
  { tag: '@long' },
  async ({ angler, context }) => {
    const { page } = angler
    // Chromium throws on any access to storage when all cookies are blocked.
    await context.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError')
          },
        })
      }
      Object.defineProperty(navigator.locks, 'request', {
        value: () => Promise.reject(new DOMException('denied', 'SecurityError')),
      })
    })
    await page.goto('/products')
    await page.getByRole('button', { name: 'Decline' }).click()

    await angler.putInCart({ lure: POPPER_150, colour: 'Mahi Mahi 150mm' })
    await angler.goToCheckout()
    await angler.placeOrder()
  },
)
