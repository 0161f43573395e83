import { expect, it } from 'vitest'
import { ADMIN_PAGES } from '../pages.ts'
import { canOpen } from './role.ts'

const FOR_PACKERS = [
  '/admin/orders',
  '/admin/orders/2f6a0c1e-5c1b-4e39-9a55-0a8a4b2f1c11',
  '/admin/gallery',
  '/admin/messages',
  '/admin/print/packing-slips',
]
const FOR_ADMINS = [
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
  '/admin/system',
  '/admin/settings',
  '/admin/print/invoices',
]

it.each(FOR_PACKERS)('lets packers open the page %s', (path) => {
  expect(canOpen('packer', path)).toBe(true)
})

// covers A37
it.each(FOR_ADMINS)('lets only admins open the page %s', (path) => {
  expect(canOpen('packer', path)).toBe(false)
  expect(canOpen('admin', path)).toBe(true)
})

it('states for each page of the command menu who may open it', () => {
  const pages = ADMIN_PAGES.filter(({ label }) => label).map(({ path }) =>
    path ? `/admin/${path}` : '/admin',
  )
  const unstated = pages.filter((path) => ![...FOR_PACKERS, ...FOR_ADMINS].includes(path))

  expect(unstated, 'Add the page to FOR_ADMINS or FOR_PACKERS in app/admin/frame/role.test.ts.').toEqual([])
})
