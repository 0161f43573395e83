import { expect, it } from 'vitest'
import { ordersAddress, readOrdersView } from './orders-view.ts'

it.each(['', '?search=mokoena&status=new&page=2', '?status=pending_payment'])(
  'keeps %s as it is',
  (address) => {
    expect(ordersAddress(readOrdersView(new URLSearchParams(address)))).toBe(address)
  },
)

it.each(['?page=0', '?page=-3', '?page=first', '?status=stolen', '?search=%20%20'])(
  'reads %s as the whole list',
  (address) => {
    expect(ordersAddress(readOrdersView(new URLSearchParams(address)))).toBe('')
  },
)
