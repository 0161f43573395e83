import { expect, it } from 'vitest'
import { canOpen } from './role.ts'

it.each([
  '/admin/orders',
  '/admin/orders/2f6a0c1e-5c1b-4e39-9a55-0a8a4b2f1c11',
  '/admin/gallery',
  '/admin/messages',
  '/admin/print/packing-slips',
])('lets packers open the page %s', (path) => {
  expect(canOpen('packer', path)).toBe(true)
})

// covers A37
it.each([
  '/admin',
  '/admin/orders/new',
  '/admin/ordersof',
  '/admin/clients',
  '/admin/products',
  '/admin/promo-codes',
  '/admin/needs-attention',
  '/admin/subscribers',
  '/admin/low-stock',
  '/admin/history',
  '/admin/settings',
  '/admin/print/invoices',
])('lets only admins open the page %s', (path) => {
  expect(canOpen('packer', path)).toBe(false)
  expect(canOpen('admin', path)).toBe(true)
})
