import { expect, it } from 'vitest'
import { mustShowAtOnce } from './must-show-at-once.ts'

it('shows the change of a member of staff on the next page, even if its response was lost', () => {
  expect(mustShowAtOnce({ method: 'PATCH', path: '/rest/v1/products' }, 204)).toBe(true)
  expect(mustShowAtOnce({ method: 'POST', path: '/rest/v1/rpc/save_product' }, 200)).toBe(true)
  expect(mustShowAtOnce({ method: 'PATCH', path: '/rest/v1/products' }, 503)).toBe(true)
})

it('sends cached pages without waiting for the database while customers fill carts and order', () => {
  expect(mustShowAtOnce({ method: 'POST', path: '/rest/v1/cart_items' }, 201)).toBe(false)
  expect(mustShowAtOnce({ method: 'POST', path: '/rest/v1/rpc/place_order' }, 200)).toBe(false)
  expect(mustShowAtOnce({ method: 'PATCH', path: '/rest/v1/products' }, 409)).toBe(false)
  expect(mustShowAtOnce({ method: 'GET', path: '/rest/v1/products' }, 200)).toBe(false)
})
