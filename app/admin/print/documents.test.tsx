import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { StaffOrderRow } from '#domain/order.ts'
import { aStaffOrder } from '#test/staff-order.ts'
import { Invoice } from './invoice.tsx'
import { PackingSlip } from './packing-slip.tsx'

const ITEM = {
  id: 'i',
  product_name: 'Stick Bait',
  product_variant: 'Blue Reaper',
  with_hooks: true,
  price: 250,
  quantity: 2,
  returned_quantity: 0,
  image_url: null,
}

const textOf = (element: React.ReactElement) =>
  renderToStaticMarkup(element)
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/\n+/g, '\n')
const unpaidInvoice = (status: StaffOrderRow['status']) =>
  textOf(<Invoice order={aStaffOrder({ status, paid_at: null })} money={{ payments: [], refunds: [] }} />)
const slip = (change: Partial<StaffOrderRow>) =>
  textOf(<PackingSlip order={aStaffOrder({ order_items: [ITEM], ...change })} />)

it('prints no prices on a packing slip, because the parcel may be a gift', () => {
  expect(slip({})).not.toMatch(/R\s?\d/)
})

it('prints on a packing slip what to pack, for whom and the customer’s note', () => {
  const text = slip({ notes: 'Please ring twice', tracking_number: 'KC-1' })

  expect(text).toContain('Stick Bait\nBlue Reaper\nWith Hooks\n2\n')
  expect(text).toContain('Thandi Mokoena\n14 Beach Road\nDurban 4001\nKwaZulu-Natal\n082 123 4567')
  expect(text).toContain('Please ring twice')
  expect(text).toContain('Tracking number KC-1')
})

const slipOfColour = (name: string) => slip({ order_items: [{ ...ITEM, product_variants: { name } }] })

it('prints on a packing slip what a colour is called now when it was renamed after the order', () => {
  expect(slipOfColour('Red Head')).toContain('Stick Bait\nBlue Reaper\nnow: Red Head\nWith Hooks\n')
  expect(slipOfColour('Blue Reaper')).not.toContain('now:')
})

it('leaves refunded lures that are back in stock out of a packing slip', () => {
  expect(slip({ order_items: [{ ...ITEM, returned_quantity: 2 }] })).not.toContain('Stick Bait')
})

it('prints the locker of an order on its packing slip', () => {
  expect(slip({ shipping_method: 'locker', locker_location: 'Spar Kenton' })).toContain('Locker: Spar Kenton')
  expect(slip({})).toContain('Door to door')
})

it('says in the head of an invoice that its order is cancelled, even if it was never paid', () => {
  expect(unpaidInvoice('cancelled')).toContain('Invoice\n#00042\nCancelled\n')
  expect(unpaidInvoice('pending_payment')).not.toContain('Cancelled')
})

it('prints an invoice with the price of a piece and of the line, and the date of the payment', () => {
  const order = aStaffOrder({ order_items: [ITEM], paid_at: '2026-11-22T08:00:00Z' })
  const text = textOf(<Invoice order={order} money={{ payments: [], refunds: [] }} />)

  expect(text).toContain('2\nR250.00\nR500.00\n')
  expect(text).toContain('Shipping\nR100.00\nTotal\nR600.00\nPaid\n−R600.00\nTo pay\nR0.00\n')
  expect(text).toContain('Date\n22 Nov 2026')
  expect(text).toContain('To\nThandi Mokoena\n14 Beach Road')
})
