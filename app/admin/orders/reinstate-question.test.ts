import { expect, it } from 'vitest'
import { reinstateQuestion } from './reinstate-question.ts'

const cancelledFrom = (from: string) => ({ kind: 'cancelled', detail: { from, to: 'cancelled' } })

it('says that reinstating an order takes its lures from stock and that its refund is no longer due', () => {
  const question = reinstateQuestion({
    status: 'new',
    isRefundDue: true,
    events: [cancelledFrom('processing')],
  })

  expect(question).toContain('becomes New again and takes its lures from stock. Its refund is no longer due.')
})

it.each(['shipped', 'delivered'])(
  'does not claim that reinstating an order that was cancelled when it was %s takes its lures from stock',
  (from) => {
    const question = reinstateQuestion({ status: 'new', isRefundDue: false, events: [cancelledFrom(from)] })

    expect(question).not.toContain('takes its lures from stock')
    expect(question).toContain('take them off the stock again')
  },
)

it('describes the effect of the last cancellation of an order that was reinstated before', () => {
  const events = [cancelledFrom('shipped'), { kind: 'reinstated', detail: {} }, cancelledFrom('new')]

  expect(reinstateQuestion({ status: 'new', isRefundDue: false, events })).toContain(
    'takes its lures from stock',
  )
})
