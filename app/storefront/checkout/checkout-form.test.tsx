import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ShownLine } from '#domain/cart.ts'
import { deliveryDates } from '#domain/delivery-promise.ts'
import { todayInSouthAfrica } from '#domain/today.ts'
import { EMPTY_DELIVERY } from '#domain/delivery.ts'
import { defaultShippingTerms, type Promo, type ShippingTerms } from '#domain/pricing.ts'
import { installStorage } from '#test/browser-storage.ts'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { ShownCart, shownLine as popper } from '#test/shown-cart.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { saveDraft, savePromoCode, type Draft } from './draft.ts'

const fixed: Promo = {
  code: 'HUNDRED',
  discount: { type: 'fixed', cents: 100_00 },
  minOrderCents: 0,
  grantsFreeShipping: false,
}

const user = { id: 'thandi', email: 'thandi@example.com', fullName: null }

interface Visit {
  lines?: ShownLine[]
  /** The promo code that was applied before a reload. */
  promo?: Promo
  terms?: ShippingTerms
  draft?: Partial<Draft>
  queries?: QueryClient
}

beforeEach(installStorage)
afterEach(() => void vi.useRealTimers())

function checkout({ lines = [popper], promo, terms, draft, queries = new QueryClient() }: Visit) {
  if (promo) {
    savePromoCode(user.id, promo.code)
    queries.setQueryData(['promo-code', promo.code], { promo })
  }
  if (draft) saveDraft(user.id, { ...EMPTY_DELIVERY, accept_terms: false, ...draft })
  return [
    <ShownCart key="cart" lines={lines}>
      <CheckoutForm user={user} />
    </ShownCart>,
    { queries, ...(terms && { terms }) },
  ] as const
}

const textOf = (visit: Visit = {}) => renderText(...checkout(visit))
/** The button that places the order, as HTML. */
const buttonOf = (visit: Visit = {}) =>
  /<button[^>]*data-buy[^>]*>[^<]*/.exec(renderHtml(...checkout(visit)))?.[0] ?? ''

it('adds lines and shipping up to the total that the button names', () => {
  const text = textOf()

  expect(text).toContain('Red Head, With Hooks 2 × R142 R284.00')
  expect(text).toContain('Subtotal R284.00 Shipping R100.00 Total R384.00')
  expect(text).toContain('Add R1 216 more for free shipping')
  expect(buttonOf()).toContain('Place Order – R384.00')
  expect(buttonOf()).not.toContain('disabled')
})

it('ships free from the subtotal in the settings', () => {
  const text = textOf({ terms: { flatCents: 80_00, freeFromCents: 284_00, offersLocker: true } })

  expect(text).toContain('Subtotal R284.00 Shipping Free Total R284.00')
  expect(text).toContain('Shipping is free on this order')
})

it('subtracts an applied promo code, and no more than the order costs', () => {
  expect(textOf({ promo: fixed })).toContain('Shipping R100.00 Discount (HUNDRED) −R100.00 Total R284.00')

  const text = textOf({ promo: { ...fixed, discount: { type: 'fixed', cents: 900_00 } } })
  expect(text).toContain('Discount (HUNDRED) −R384.00 Total R0.00')
  expect(text).toContain('You saved R384.00')
  expect(text).toContain('Nothing to pay: your order is complete with this click.')
})

it('asks for no larger order when a promo code ships it free', () => {
  const text = textOf({ promo: { ...fixed, grantsFreeShipping: true } })

  expect(text).toContain('Shipping Free')
  expect(text).not.toContain('more for free shipping')
})

it('ignores an applied promo code below its minimum order and names the minimum', () => {
  const text = textOf({ promo: { ...fixed, minOrderCents: 284_01 } })

  expect(text).not.toContain('Discount')
  expect(text).toContain('Minimum order of R284.01 required for this code')
})

it('does not place an order while its promo code is being checked', () => {
  savePromoCode(user.id, 'SLOW')

  expect(buttonOf()).toContain('disabled')
})

it('says that the total leaves out a stored promo code whose check got no answer', async () => {
  savePromoCode(user.id, 'SLOW')
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  await queries.prefetchQuery({
    queryKey: ['promo-code', 'SLOW'],
    queryFn: () => Promise.reject(new Error('no answer')),
    retry: false,
  })

  expect(textOf({ queries })).toContain(
    "We couldn't check this code, so the total doesn't include it. Press Apply to try again.",
  )
  expect(buttonOf({ queries })).toContain('Place Order – R384.00')
})

it('does not place an order with a line that cannot be ordered', () => {
  const soldOut: ShownLine = { ...popper, id: 'l2', productVariant: 'Mullet', problem: { kind: 'sold-out' } }
  const visit = { lines: [popper, soldOut] }

  expect(buttonOf(visit)).toContain('disabled')
  expect(textOf(visit)).toContain('Change or remove the marked lines to continue.')
  expect(textOf(visit)).toContain('Sold out in the meantime. Please remove it.')
  expect(textOf(visit)).toContain('Subtotal R284.00')
})

it('shows a price that changed since the buyer saw it', () => {
  const dearer = { ...popper, previousPriceCents: 130_00 }

  expect(textOf({ lines: [dearer] })).toContain('The price changed from R130 to R142.')
})

it('offers the quantity that is left of a line', () => {
  const problem = { kind: 'too-many', available: 1, wanted: 2, changeTo: 1 } as const

  const text = textOf({ lines: [{ ...popper, problem }] })

  expect(text).toContain('Only 1 left; you have 2. Change to 1')
  const none = { ...problem, changeTo: 0 }
  expect(textOf({ lines: [{ ...popper, problem: none }] })).not.toContain('Change to 0')
})

const typed = {
  full_name: 'Thandi Mokoena',
  email: 'thandi@example.com',
  phone: '+27825550148',
  address: '12 Beach Road',
  city: 'Kenton-on-Sea',
  state: 'Eastern Cape',
  zip_code: '6191',
  locker_location: 'Spar, Kenton-on-Sea',
}

it('repeats contact, locker, address and note before the order', () => {
  const text = textOf({ draft: { ...typed, notes: 'Ring twice' } })

  expect(text).toContain('Contact Thandi Mokoena, thandi@example.com, 082 555 0148 Edit')
  expect(text).toContain('To your locker Spar, Kenton-on-Sea 12 Beach Road, Kenton-on-Sea, Eastern Cape 6191')
  expect(text).toContain('Note Ring twice')
})

it('names no locker before an order that is delivered to the door', () => {
  const text = textOf({ draft: { ...typed, shipping_method: 'door-to-door' } })

  expect(text).toContain('To your door 12 Beach Road')
  expect(text).toContain('Delivery address')
  expect(text).not.toContain('Nearest Locker Location')
})

it('offers no locker when the settings have switched lockers off', () => {
  const text = textOf({
    terms: { ...defaultShippingTerms, offersLocker: false },
    draft: { shipping_method: 'door-to-door' },
  })

  expect(text).not.toContain('You get a PIN by SMS')
  expect(text).toContain('It costs R100, and nothing on orders from R1500.')
})

it('promises a later delivery when a line must be made', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T08:00:00Z') })
  const dates = deliveryDates(todayInSouthAfrica(new Date()))

  expect(textOf()).toContain(`it should reach you ${dates.onShelf} .`)
  expect(textOf({ lines: [popper, { ...popper, id: 'l2', mustBeMade: true }] })).toContain(
    `it should reach you ${dates.madeToOrder} .`,
  )
})
