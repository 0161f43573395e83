import { expect, it } from 'vitest'
import { summarizeChecks } from './notice-checks.ts'
import { noticeText } from './notice-text.ts'
import type { NoticeCheck } from './payment-record-query.ts'

it('shows the latest result of each payment notice check and the number of attempts', () => {
  const [, , , confirmation] = summarizeChecks([
    check('confirmation', 'unknown', 1, '403'),
    check('confirmation', 'passed', 2),
  ])

  expect(confirmation).toMatchObject({ result: 'passed', detail: '2 attempts' })
})

it('fails the notice’s merchant and amount check when one of the two fails', () => {
  const [, , amount] = summarizeChecks([
    check('merchant', 'passed', 1),
    check('attempt', 'passed', 2),
    check('amount', 'failed', 3),
  ])

  expect(amount?.result).toBe('failed')
})

it('shows a payment notice check without a result as not made', () => {
  const results = summarizeChecks([check('signature', 'failed', 1)]).map(({ result }) => result)

  expect(results).toEqual(['failed', 'not made', 'not made', 'not made'])
})

it('does not describe a payment notice as paid while it is being checked', () => {
  expect(noticeText(null)).toMatchObject({ label: 'Being checked', tone: 'warning' })
})

it('shows the name of an outcome that it does not know', () => {
  expect(noticeText('refunded_elsewhere')).toEqual({
    label: 'refunded_elsewhere',
    effect: '',
    tone: 'neutral',
  })
})

function check(
  check_name: NoticeCheck['check_name'],
  result: NoticeCheck['result'],
  ...[second, detail]: [number, string?]
): NoticeCheck {
  return { check_name, result, detail: detail ?? null, checked_at: `2026-11-21T08:00:0${second}Z` }
}
