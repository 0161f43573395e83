import { describe, expect, it } from 'vitest'
import { amountDue, effectText, paymentProblem, stillToDo } from './amount-due.ts'

type Held = Parameters<typeof amountDue>[1][number]

const UNPAID = { paidAt: null, totalCents: 600_00 }
const SHORT: Held = { amount_gross: 500, given_back: 0, refundable: 500, outcome: 'wrong_amount' }
const dueOf = (...balances: Held[]) => amountDue(UNPAID, balances)
const effect = (cents: number, ...balances: Held[]) =>
  effectText(dueOf(...balances), cents, { isCancelled: false })

describe('the amount due of an order of R600', () => {
  it('is the total, or the rest of the only short payment that it holds', () => {
    expect(dueOf()).toEqual({ state: 'due', cents: 600_00, isRest: false })
    expect(dueOf(SHORT)).toEqual({ state: 'due', cents: 100_00, isRest: true })
  })

  it('is the total again once its short payment was refunded', () => {
    expect(dueOf({ ...SHORT, given_back: 500, refundable: 0 })).toMatchObject({ cents: 600_00 })
  })

  it('is nothing once it is paid', () => {
    expect(amountDue({ ...UNPAID, paidAt: '2026-11-21T08:00:00Z' }, [SHORT])).toEqual({ state: 'paid' })
  })

  it.each<[string, Held[]]>([
    ['two payments', [SHORT, SHORT]],
    ['a payment for lures that were sold', [{ ...SHORT, outcome: 'sold_out' }]],
    ['a short payment that was partly refunded', [{ ...SHORT, given_back: 100, refundable: 400 }]],
    ['more than the total', [{ ...SHORT, amount_gross: 700, refundable: 700 }]],
  ])('is undecided while it holds %s', (_what, balances) => {
    expect(dueOf(...balances)).toEqual({ state: 'undecided' })
  })
})

describe('the form for a payment by hand', () => {
  it('says what an amount will do before it is recorded', () => {
    expect(effect(600_00)).toContain('This marks the order as paid and e-mails the customer')
    expect(effect(580_00)).toContain('R20.00 is missing, so the order stays unpaid')
    expect(effect(630_00)).toContain('The R30.00 beyond it is recorded as paid twice')
    expect(effect(100_00, SHORT)).toContain('This marks the order as paid')
    expect(effectText(dueOf(), 600_00, { isCancelled: true })).toContain('This reinstates the order')
    expect(effectText({ state: 'paid' }, 50_00, { isCancelled: false })).toContain(
      'R50.00 is recorded as paid twice',
    )
  })

  it('refuses a text that is no amount, and a part beside a short payment', () => {
    expect(paymentProblem(dueOf(), null)).toBe('Please enter an amount in rand, for example 120.50')
    expect(paymentProblem(dueOf(), 0)).not.toBeNull()
    expect(paymentProblem(dueOf(), 1)).toBeNull()
    expect(paymentProblem(dueOf(SHORT), 60_00)).toContain('R40.00 would still be missing.')
    expect(paymentProblem(dueOf(SHORT), 100_00)).toBeNull()
  })

  it('says what is left to do after the payment was recorded', () => {
    expect(stillToDo(dueOf(), 600_00, true)).toBeUndefined()
    expect(stillToDo(dueOf(), 580_00, false)).toContain('The order stays unpaid.')
    expect(stillToDo(dueOf(), 600_00, false)).toContain('The lures are sold out')
    expect(stillToDo(dueOf(), 630_00, true)).toBe(
      'R30.00 was more than was due. Refund it under Needs attention.',
    )
    expect(stillToDo({ state: 'paid' }, 50_00, true)).toBe('Refund it under Needs attention.')
    expect(stillToDo(dueOf(), 600_00, null)).toContain('If its lures are sold out')
  })
})
