import { expect, it } from 'vitest'
import { notificationOf, type LiveChange } from './notification.ts'

const CHANGE = {
  schema: 'public',
  table: 'orders',
  commit_timestamp: '2026-11-21T08:00:10Z',
  errors: [],
}
const ORDER = { id: '1', order_number: 42, status: 'new', total_amount: 600, paid_at: '2026-11-21T08:00:00Z' }

const updated = (row: Record<string, unknown>): LiveChange => ({
  ...CHANGE,
  eventType: 'UPDATE',
  new: { ...ORDER, ...row },
  old: {},
})
const inserted = (table: string, row: Record<string, unknown>): LiveChange => ({
  ...CHANGE,
  table,
  eventType: 'INSERT',
  new: row,
  old: {},
})

it('announces an order with its number and total when it was paid just now', () => {
  expect(notificationOf(updated({}))).toEqual({ title: 'New paid order', description: '#00042 · R600.00' })
})

it.each([
  ['an order that is not paid', { paid_at: null, status: 'pending_payment' }],
  ['a paid order that is being made', { status: 'processing' }],
  ['an order that was paid over a minute ago', { paid_at: '2026-11-21T07:59:00Z' }],
])('does not announce %s', (_, row) => {
  expect(notificationOf(updated(row))).toBeNull()
})

it('announces a new message or photo, but not one that staff have changed', () => {
  const message = { name: 'Lerato', subject: 'Hooks' }
  const photo = { customer_name: 'Zanele' }

  expect(notificationOf(inserted('contact_submissions', message))?.description).toBe('Lerato: Hooks')
  expect(notificationOf(inserted('gallery_submissions', photo))?.description).toBe('From Zanele')
  for (const table of ['contact_submissions', 'gallery_submissions'])
    expect(notificationOf({ ...updated({ ...message, ...photo }), table })).toBeNull()
})

it('announces no change of another table', () => {
  expect(notificationOf(inserted('contact_answers', { name: 'Lerato' }))).toBeNull()
})
