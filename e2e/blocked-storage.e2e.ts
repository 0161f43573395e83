import { POPPER_150 } from './fixtures/angler.ts'
import { test } from './fixtures/journey.ts'

test.use({ isGreeted: false })

test('a browser that keeps nothing can still buy', async ({ angler, context }) => {
  const { page } = angler
  // What Chromium does where all cookies are blocked: even the question is refused.
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
})
