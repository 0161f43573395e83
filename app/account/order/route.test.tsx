import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Returns } from '#database'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { customerOrder } from '#domain/order.ts'
import { shop } from '#shop'
import type { Route } from './+types/route'
import OwnOrderPage from './route.tsx'
import { cancellationQuestion, startFailure } from './unpaid.tsx'

type OrderDocument = Returns<'get_order'>

const unpaid: OrderDocument = {
  id: '1',
  order_number: 42,
  status: 'pending_payment',
  placed_at: '2026-11-20T08:00:00Z',
  paid_at: null,
  expires_at: '2026-11-21T22:30:00Z',
  cancelled_at: null,
  cancellation_reason: null,
  subtotal_amount: 284,
  shipping_cost: 100,
  discount_amount: 0,
  total_amount: 384,
  amount_due: 384,
  held_amount: 0,
  waived_amount: 0,
  refund_due: 0,
  promo_code: null,
  customer_name: 'Thandi Mokoena',
  customer_email: null,
  customer_phone: '+27825550148',
  shipping_method: 'locker',
  locker_location: 'Spar, Kenton-on-Sea',
  shipping_address: '12 Beach Road',
  shipping_city: 'Kenton-on-Sea',
  shipping_state: 'Eastern Cape',
  shipping_zip: '6191',
  notes: null,
  tracking_number: null,
  courier: null,
  items: [
    {
      id: 'i1',
      product_name: 'Chisel Nose Popper 150mm/30G',
      product_variant: 'Red Head',
      with_hooks: true,
      price: 142,
      quantity: 2,
      returned_quantity: 0,
      image_url: null,
    },
  ],
  refunds: [],
  timeline: [],
  may_be_paid: true,
  is_being_confirmed: false,
}

const paid: OrderDocument = {
  ...unpaid,
  status: 'new',
  paid_at: '2026-11-20T22:30:00Z',
  held_amount: 384,
  amount_due: 0,
}

function pageWith(order: OrderDocument) {
  const queries = new QueryClient()
  queries.setQueryData(['own-order', '1'], order)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page uses nothing else.
  const props = { params: { orderId: '1' } } as Route.ComponentProps
  return [<OwnOrderPage key="page" {...props} />, { queries }] as const
}

const textOf = (order: OrderDocument) => renderText(...pageWith(order))

it('asks for the total of an unpaid order and names the deadline in South African time', () => {
  const text = textOf(unpaid)

  expect(text).toContain('We have no payment for this order yet.')
  expect(text).toMatch(/We’ll keep it until Sunday,? 22 November.*00:30/)
  expect(text).toContain('Pay R384.00')
})

it('asks a buyer whose payment may be on its way to wait, and claims nothing about the charge', async () => {
  expect(textOf(unpaid)).toContain('If you’ve just paid, please wait for our e-mail and don’t pay again.')
  expect(cancellationQuestion(customerOrder(unpaid))).toBe(
    'We’ll release its lures. We have no payment for it, and your cart stays as it is.',
  )
  expect(await startFailure(new TypeError('Failed to fetch'))).toBe(
    'We couldn’t reach the payment page. Please try again.',
  )
})

it('asks for the rest of a short payment and names no deadline', () => {
  const text = textOf({ ...unpaid, held_amount: 300, amount_due: 84 })

  expect(text).toContain('We received R300.00 of R384.00. Please pay the rest.')
  expect(text).toContain('Pay R84.00')
  expect(text).not.toContain('We’ll keep it until')
  expect(text).not.toContain('If you’ve just paid')
})

it('offers no payment for a short payment that staff must decide about', () => {
  const text = textOf({ ...unpaid, held_amount: 300, amount_due: 84, may_be_paid: false })

  expect(text).toContain('please don’t pay again')
  expect(text).not.toContain('Pay R')
})

it.each([
  ['its lures were sold out when the payment arrived', 384],
  ['the payment was too high', 500],
])('mentions no difference to pay when an order stays unpaid because %s', (_, held_amount) => {
  const text = textOf({ ...unpaid, held_amount, may_be_paid: false, expires_at: null })

  expect(text).toContain(`We received R${held_amount}.00 for this order but can’t confirm it yet.`)
  expect(text).toContain('please don’t pay again')
  expect(text).not.toContain('difference')
})

it('says that an unpaid order can be paid again after a refund that is on its way', () => {
  const refunding = { ...unpaid, may_be_paid: false, expires_at: null }
  const text = textOf(refunding)

  expect(text).toContain('We’re refunding what you paid for this order. You can pay again when that is done.')
  expect(text).not.toContain('no payment for this order')
  expect(cancellationQuestion(customerOrder(refunding))).toBe(
    'We’ll release its lures. Your cart stays as it is.',
  )
})

it('offers neither payment nor cancellation while a payment is being confirmed', () => {
  const text = textOf({ ...unpaid, is_being_confirmed: true })

  expect(text).toContain('Please don’t pay again.')
  expect(text).not.toContain('Pay R')
  expect(text).not.toContain('Cancel order')
})

it('shows a receipt and the right to change one’s mind only once an order is paid', () => {
  expect(textOf(unpaid)).not.toContain('Receipt')
  expect(textOf(unpaid)).not.toContain('Changing your mind')
  expect(textOf(unpaid)).not.toContain('Print receipt')

  const text = textOf(paid)
  expect(text).toContain('Print receipt')
  expect(text).toContain(`Receipt ${shop.legal.name}`)
  // A shop without a VAT number may not issue tax invoices.
  expect(text).not.toMatch(/tax invoice|VAT/i)
  expect(text).toContain('Paid 21 Nov 2026')
  expect(text).toContain(`within ${shop.orders.changeableHours} hours of ordering`)
  expect(text).toContain(`within ${shop.returns.coolingOffDays} days of receiving it`)
})

it.each(['shipped', 'delivered'] as const)('explains how to return an order that is %s', (status) => {
  const text = textOf({ ...paid, status })

  expect(text).toContain(`within ${shop.returns.coolingOffDays} days of receiving your parcel`)
  expect(text).toContain(`accept returns for ${shop.returns.policyDays} days`)
})

it('shows the refund that is due for a cancelled order, and no right of return', () => {
  const cancelled: OrderDocument = { ...paid, status: 'cancelled', refund_due: 284 }

  expect(textOf(cancelled)).toContain('We owe you a refund of R284.00.')
  expect(textOf({ ...cancelled, refund_due: 0 })).not.toContain('We owe you')
  expect(textOf(cancelled)).not.toContain('Changing your mind')
})

it('shows how much of an order was paid too much', () => {
  expect(textOf({ ...paid, held_amount: 484 })).toContain('You paid R100.00 more than this order costs.')
  expect(textOf(paid)).not.toContain('more than this order costs')
})

it('shows on the receipt what was waived of a short payment, below the total', () => {
  expect(textOf({ ...paid, held_amount: 320, waived_amount: 64 })).toContain('Total R384.00 Waived −R64.00')
  expect(textOf(paid)).not.toContain('Waived')
})

it('lists sums, refunds and returned lures of an order', () => {
  const text = textOf({
    ...paid,
    promo_code: 'SAVE',
    total_amount: 334,
    items: paid.items.map((item) => ({ ...item, returned_quantity: 1 })),
    refunds: [
      { amount: 142, created_at: '2026-11-23T08:00:00Z', done_at: '2026-11-24T22:30:00Z' },
      { amount: 50, created_at: '2026-11-26T08:00:00Z', done_at: null },
    ],
  })

  expect(text).toContain('Red Head, With Hooks 2 × R142 1 of these taken off the order R284.00')
  expect(text).toContain('Subtotal R284.00 Shipping R100.00 Discount (SAVE) −R50.00 Total R334.00')
  expect(text).toContain('Refunded 25 Nov 2026 −R142.00')
  expect(text).toContain('Refund in progress since 26 Nov 2026 −R50.00')
})

it('shows the locker, the address and how to follow the parcel', () => {
  const courier = { name: 'Pudo', tracking_url: 'https://courier.example/{number}' }
  const html = renderHtml(...pageWith({ ...paid, status: 'shipped', courier, tracking_number: 'AB 12' }))

  expect(html).toContain('href="https://courier.example/AB%2012"')
  const text = textOf({ ...paid, status: 'shipped', courier, tracking_number: 'AB 12', notes: 'Ring twice' })
  expect(text).toContain('To a locker : Spar, Kenton-on-Sea Thandi Mokoena 12 Beach Road Kenton-on-Sea, 6191')
  expect(text).toContain('Your note: Ring twice')
  expect(text).toContain('With Pudo. Tracking number AB 12')
})

it('names no locker for a delivery to the door, and no address for a hand-over', () => {
  expect(textOf({ ...paid, shipping_method: 'door-to-door' })).toContain('To your door Thandi Mokoena')
  const handedOver = textOf({ ...paid, shipping_method: 'hand-over' })
  expect(handedOver).toContain('Handed over in person')
  expect(handedOver).not.toContain('12 Beach Road')
})

it('keeps an order on the page, with its Pay button, when loading it again fails', () => {
  const [page, { queries }] = pageWith(unpaid)
  const query = queries.getQueryCache().find({ queryKey: ['own-order', '1'] })
  query?.setState({ status: 'error', error: new Error('no network') })

  const text = renderText(page, { queries })

  expect(text).toContain('Pay R384.00')
  expect(text).toContain('This may be out of date: we couldn’t reload it.')
})
