import { expect, it } from 'vitest'
import type { StaffOrderRow } from '#domain/order.ts'
import { aStaffOrder, STAFF_ORDER_ROW } from '#test/staff-order.ts'
import { parseDeliveryError } from './delivery.ts'
import { nextStep } from './next-step.tsx'
import { parcelChange } from './order-changes.ts'
import { actionsOf } from './order-actions.tsx'
import { otherStatuses } from './status-select.tsx'

function labels(change: Partial<StaffOrderRow>, { isAdmin }: { isAdmin: boolean }): string[] {
  return actionsOf(aStaffOrder(change), isAdmin).map(({ label }) => label)
}
const forAdmin = (change: Partial<StaffOrderRow>) => labels(change, { isAdmin: true })
const UNPAID = { paid_at: null, status: 'pending_payment' } as const

it('offers a packer no invoice, cancellation or deletion of an order', () => {
  expect(labels({}, { isAdmin: false })).toEqual(['Packing slip', 'E-mail customer', 'Change address'])
  expect(labels({ status: 'cancelled' }, { isAdmin: false })).toEqual(['E-mail customer'])
})

it('offers a packing slip only for an order that is paid and not cancelled', () => {
  expect(forAdmin({})).toContain('Packing slip')
  expect(forAdmin({ status: 'cancelled' })).not.toContain('Packing slip')
  expect(forAdmin(UNPAID)).not.toContain('Packing slip')
})

it('offers to change the items of an order only before it is paid', () => {
  expect(forAdmin(UNPAID)).toContain('Change items')
  expect(forAdmin({})).not.toContain('Change items')
})

it('offers to change an address until the parcel has left, or the order is cancelled', () => {
  expect(forAdmin({ status: 'processing' })).toContain('Change address')
  for (const status of ['shipped', 'delivered', 'cancelled'] as const)
    expect(forAdmin({ status })).not.toContain('Change address')
})

it('offers an admin to change only the e-mail address once the parcel has left', () => {
  for (const status of ['shipped', 'delivered'] as const) {
    expect(forAdmin({ status })).toContain('Change e-mail')
    expect(labels({ status }, { isAdmin: false })).not.toContain('Change e-mail')
  }
  for (const status of ['new', 'cancelled'] as const)
    expect(forAdmin({ status })).not.toContain('Change e-mail')
})

it('offers to reinstate only a cancelled order that was paid, and does not offer to cancel it again', () => {
  expect(forAdmin({ status: 'cancelled' })).toContain('Reinstate order')
  expect(forAdmin({ status: 'cancelled' })).not.toContain('Cancel order')
  expect(forAdmin({ status: 'cancelled', paid_at: null })).not.toContain('Reinstate order')
  expect(forAdmin({})).not.toContain('Reinstate order')
})

it('opens the packing slip, the invoice and the replacement of this order', () => {
  const links = [{}, UNPAID].flatMap((change) =>
    actionsOf(aStaffOrder(change), true).flatMap(({ opens }) => (typeof opens === 'string' ? [] : opens.to)),
  )

  expect(links).toEqual([
    `/admin/print/packing-slips?orders=${STAFF_ORDER_ROW.id}`,
    `/admin/print/invoices?orders=${STAFF_ORDER_ROW.id}`,
    `/admin/print/invoices?orders=${STAFF_ORDER_ROW.id}`,
    `/admin/orders/new?replaces=${STAFF_ORDER_ROW.id}`,
  ])
})

const HAND_OVER = { shipping_method: 'hand-over' } as const

it.each<[StaffOrderRow['status'], Partial<StaffOrderRow>, string | undefined]>([
  ['new', {}, 'processing'],
  ['pending', {}, 'processing'],
  ['processing', {}, 'shipped'],
  ['processing', HAND_OVER, 'delivered'],
  ['shipped', {}, 'delivered'],
  ['delivered', {}, undefined],
  ['cancelled', {}, undefined],
])('offers as next step of a paid order that is %s with %j the status %s', (status, change, next) => {
  expect(nextStep(aStaffOrder({ ...change, status }))?.status).toBe(next)
})

it('offers no next step for an order that is not paid', () => {
  expect(nextStep(aStaffOrder({ paid_at: null, status: 'new' }))).toBeNull()
})

const refusal = (details: string, hint: object) =>
  new Error('refused', { cause: { code: 'PT409', details, hint: JSON.stringify(hint) } })

it('shows an editor the address that a colleague saved first, and no other error as one', () => {
  const theirs = { shipping_city: 'Umhlanga' }

  expect(parseDeliveryError(refusal('delivery_changed', theirs))).toEqual({ problems: {}, theirs })
  expect(parseDeliveryError(refusal('invalid_delivery', { shipping_zip: 'Four digits' }))).toEqual({
    problems: { shipping_zip: 'Four digits' },
    theirs: null,
  })
})

const statuses = (change: Partial<StaffOrderRow>, isPacker: boolean) =>
  otherStatuses(aStaffOrder(change), { isPacker })

it('lets a packer neither cancel nor reinstate an order with the status field', () => {
  expect(statuses({}, true)).toEqual(['processing', 'shipped', 'delivered'])
  expect(statuses({}, false)).toContain('cancelled')
  expect(statuses({ status: 'cancelled' }, true)).toEqual([])
  expect(statuses({ status: 'cancelled' }, false)).toEqual(['new', 'processing'])
})

it('does not offer to ship an order that is handed over in person', () => {
  expect(otherStatuses(aStaffOrder(HAND_OVER), { isPacker: false })).not.toContain('shipped')
})

it('leaves a delivered order delivered when its tracking number is corrected, and ships every other one once', () => {
  const parcel = { trackingNumber: 'TCG2', courierId: 'tcg' }
  const columns = { tracking_number: 'TCG2', courier_company_id: 'tcg' }
  const change = (status: StaffOrderRow['status'], isCorrection: boolean) =>
    parcelChange(aStaffOrder({ status }), { ...parcel, isCorrection })

  expect(change('delivered', true)).toEqual(columns)
  expect(change('delivered', false)).toEqual({ ...columns, status: 'shipped' })
  expect(change('processing', false)).toEqual({ ...columns, status: 'shipped' })
  expect(change('shipped', false)).toEqual(columns)
})
