import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import type { ShownLine } from '#domain/cart.ts'
import type { ShippingTerms } from '#domain/pricing.ts'
import { shop } from '#shop'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { ShownCart, shownLine } from '#test/shown-cart.tsx'
import { CartContents } from './cart-contents.tsx'

interface Shown {
  lines?: ShownLine[]
  status?: 'loading' | 'offline' | 'failed'
  terms?: ShippingTerms
}

function drawer({ lines = [shownLine], status, terms }: Shown) {
  return [
    <SessionProvider key="cart" publishableKey="">
      <ShownCart lines={lines} {...(status && { status })}>
        <CartContents />
      </ShownCart>
    </SessionProvider>,
    { ...(terms && { terms }) },
  ] as const
}

const textOf = (shown: Shown = {}) => renderText(...drawer(shown))

it('shows what the lines of the cart cost without and with delivery', () => {
  const text = textOf()

  expect(text).toContain('Add R1 216 more for free shipping')
  expect(text).toContain('Total R284.00 R384.00 with delivery to your locker or door.')
  expect(text).toContain(
    `${shop.returns.coolingOffDays} days to change your mind, ${shop.returns.policyDays}-day returns.`,
  )
})

it('says that delivery is included in a cart that ships free', () => {
  const terms = { flatCents: 100_00, freeFromCents: 284_00, offersLocker: true }

  expect(textOf({ terms })).toContain('Total R284.00 Delivery to your locker or door is included.')
})

it('promises no locker when the settings have switched lockers off', () => {
  const terms = { flatCents: 100_00, freeFromCents: 1500_00, offersLocker: false }

  expect(textOf({ terms })).toContain('R384.00 with delivery to your door.')
  expect(textOf({ terms: { ...terms, freeFromCents: 284_00 } })).toContain(
    'Delivery to your door is included.',
  )
})

it('leads visitors to the sign-in before the checkout', () => {
  expect(renderHtml(...drawer({}))).toContain('href="/auth?redirect=%2Fcheckout"')
  expect(textOf()).toContain('Sign In to Checkout')
})

it('leads nowhere with a line that cannot be ordered', () => {
  const lines: ShownLine[] = [{ ...shownLine, problem: { kind: 'not-sold' } }]

  expect(renderHtml(...drawer({ lines }))).not.toContain('/auth?redirect')
  expect(textOf({ lines })).toContain('Change or remove the marked lines to continue.')
})

it('offers neither changes nor the checkout in the offline copy of a cart', () => {
  const html = renderHtml(...drawer({ status: 'offline' }))

  expect(html).toMatch(/<fieldset[^>]* disabled/)
  expect(html).not.toContain('/auth?redirect')
  expect(textOf({ status: 'offline' })).toContain("We can't reach the shop.")
})

it('shows neither a total nor the checkout before the whole cart has loaded', () => {
  const text = textOf({ status: 'loading' })

  expect(text).toContain('Loading cart...')
  expect(text).not.toMatch(/Total|free shipping|Checkout/)
})

it('shows neither a total nor the checkout while a part of the cart did not load', () => {
  const text = textOf({ status: 'failed' })

  expect(text).toContain('this may not be all of it')
  expect(text).toContain('Try again')
  expect(text).not.toMatch(/Total|free shipping|Checkout/)
})
