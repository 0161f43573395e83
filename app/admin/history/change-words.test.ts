import { expect, it } from 'vitest'
import { readView, viewAddress } from '../list/list.ts'
import { linesOf } from '../export/export-button.tsx'
import { HISTORY, HISTORY_FILE } from './change-list.ts'
import { actorName, changeTitle, fieldChanges, fieldName, type Change } from './change-words.ts'

const CHANGE: Change = {
  id: 7,
  changed_at: '2026-11-21T08:00:00Z',
  actor_id: 'a',
  actor: 'admin',
  actor_name: 'Pieter',
  device: null,
  table_name: 'promo_codes',
  row_id: 'b',
  row_name: 'SPRING-10',
  verb: 'update',
  before: { min_order_amount: 1500, is_active: true, expires_at: null },
  after: { min_order_amount: 900, is_active: false, expires_at: '2026-12-24T22:00:00+00:00' },
  withheld: [],
  forgotten_at: null,
  undoes: null,
  undone_by: null,
  can_undo: true,
}

const lineOf = (change: Change) => linesOf(HISTORY_FILE, [change])[0]

it('describes a change by field, old value and new value', () => {
  expect(changeTitle(CHANGE)).toBe('Promo code SPRING-10 changed')
  expect(fieldChanges(CHANGE)).toEqual([
    { field: 'Min order amount', before: expect.stringMatching(/^R1\s500.00$/), after: 'R900.00' },
    { field: 'Is active', before: 'Yes', after: 'No' },
    { field: 'Expires', before: 'nothing', after: expect.stringContaining('2026') },
  ])
})

it('describes statuses, methods and reasons in words instead of codes', () => {
  const change: Change = {
    ...CHANGE,
    table_name: 'orders',
    before: { status: 'pending_payment', shipping_method: 'door-to-door', cancellation_reason: null },
    after: { status: 'cancelled', shipping_method: 'locker', cancellation_reason: 'by_the_buyer' },
  }
  expect(fieldChanges(change)).toEqual([
    { field: 'Status', before: 'Awaiting payment', after: 'Cancelled' },
    { field: 'Shipping method', before: 'Door to door', after: 'Locker' },
    { field: 'Cancellation reason', before: 'nothing', after: 'By the buyer' },
  ])
})

it('describes a refund task by the amount in rand, without the author’s id', () => {
  const opened: Change = {
    ...CHANGE,
    table_name: 'refund_tasks',
    row_name: null,
    verb: 'insert',
    before: null,
    after: { amount: 600, opened_by: 'b5686952-c001-4e3c-bdbe-a6298329046a' },
  }

  expect(changeTitle(opened)).toBe('Refund due added')
  expect(fieldChanges(opened)).toEqual([{ field: 'Amount', before: null, after: 'R600.00' }])
})

it('omits a new photo’s image URLs from the change description', () => {
  const photo = {
    status: 'pending',
    customer_name: 'Nandi',
    image_url: '/storage/a.jpg',
    image_urls: ['/storage/a.jpg'],
  }

  expect(
    fieldChanges({
      ...CHANGE,
      table_name: 'gallery_submissions',
      verb: 'insert',
      before: null,
      after: photo,
    }),
  ).toEqual([
    { field: 'Status', before: null, after: 'Pending' },
    { field: 'Customer name', before: null, after: 'Nandi' },
  ])
})

it('describes orders by number, a handled message as done, and an answer as sent', () => {
  expect(changeTitle({ ...CHANGE, table_name: 'orders', row_name: '42', verb: 'delete' })).toBe(
    'Order #00042 deleted',
  )
  expect(changeTitle({ ...CHANGE, table_name: 'contact_answers', row_name: null, verb: 'insert' })).toBe(
    'Message marked as done',
  )
  expect(changeTitle({ ...CHANGE, table_name: 'contact_replies', row_name: null, verb: 'insert' })).toBe(
    'Answer sent',
  )
})

it('names the author of a change even if no account exists', () => {
  expect(actorName({ ...CHANGE, actor_name: null })).toBe('A former account')
  expect(actorName({ ...CHANGE, actor_name: null, actor: 'secret key' })).toBe(
    'A program with the secret key',
  )
})

it('exports a change as one CSV row, with its time in South Africa', () => {
  expect(
    lineOf({
      ...CHANGE,
      changed_at: '2026-11-20T22:30:00.123456+00:00',
      after: { is_active: false },
      before: { is_active: true },
      withheld: ['zip_code'],
    }),
  ).toEqual([
    '2026-11-21 00:30',
    'Pieter',
    'Promo code SPRING-10 changed',
    'Is active: Yes',
    'Is active: No',
    'Zip code',
    '7',
  ])
})

it('omits ids, slug and empty values from the description of an added row', () => {
  const added = { id: 'x', customer_id: 'y', name: 'Kite', slug: 'kite', images: [], specs: [{ label: 'a' }] }
  expect(
    fieldChanges({ ...CHANGE, table_name: 'products', verb: 'insert', before: null, after: added }),
  ).toEqual([
    { field: 'Product Name', before: null, after: 'Kite' },
    { field: 'Specs', before: null, after: '1 entry' },
  ])
})

it('writes “e-mail” with a hyphen in the history’s field names', () => {
  expect(fieldName('customer_email')).toBe('Customer e-mail')
})

it('reads the history filters from the URL and writes the same URL again', () => {
  const address =
    '?who=0f0e0d0c-0000-4000-8000-000000000000&thing=promo_codes&from=2026-11-01&to=2026-11-21&page=2'

  expect(viewAddress(HISTORY, readView(HISTORY, new URLSearchParams(address)))).toBe(address)
})

it('ignores invalid history filters in the URL', () => {
  const view = readView(HISTORY, new URLSearchParams('?who=me&thing=A;B&from=yesterday&page=-1'))

  expect(view).toEqual(readView(HISTORY, new URLSearchParams()))
})
