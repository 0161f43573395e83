import { expect, it } from 'vitest'
import type { OrderView } from '#domain/order.ts'
import { confirmationOf } from './use-confirmation.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The function reads nothing else.
const order = (status: OrderView['status'], isPaid: boolean) => ({ status, isPaid }) as OrderView
const stateOf = (shown: OrderView, count = 0) => confirmationOf({ order: shown, count })

it('calls an order paid or cancelled only when the server does', () => {
  expect(stateOf(order('pending_payment', false)).state).toBe('confirming')
  expect(stateOf(order('new', true)).state).toBe('paid')
  expect(stateOf(order('processing', true)).state).toBe('paid')
  expect(stateOf(order('cancelled', false)).state).toBe('cancelled')
})

it('stops waiting for the payment after eleven polls, and says that nothing is lost', () => {
  const unpaid = order('pending_payment', false)

  expect(stateOf(unpaid, 10)).toMatchObject({ isWaiting: true })
  expect(stateOf(unpaid, 11)).toMatchObject({ isWaiting: false })
})
