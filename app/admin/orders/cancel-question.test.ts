import { expect, it } from 'vitest'
import { cancelQuestion } from './cancel-question.ts'

it('states how many orders, e-mails and rand a cancellation affects', () => {
  const question = cancelQuestion({ orders: 3, mails: 2, to_refund: 904, shipped: 0 })

  expect(question).toContain('cancels 3 orders and sends 2 e-mails')
  expect(question).toContain('R904.00 has to be refunded')
  expect(question).toContain('The lures go back in stock')
})

it('announces no refund when an unpaid order is cancelled', () => {
  const question = cancelQuestion({ orders: 1, mails: 0, to_refund: 0, shipped: 0 })

  expect(question).toContain('cancels 1 order and sends no e-mails')
  expect(question).toContain('No money has to be refunded')
})

it('does not promise to restock a shipped order that is cancelled', () => {
  expect(cancelQuestion({ orders: 1, mails: 1, to_refund: 600, shipped: 1 })).toContain(
    'nothing goes back in stock',
  )
})
