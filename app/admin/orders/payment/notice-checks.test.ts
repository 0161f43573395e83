import { expect, it } from 'vitest'
import { summarizeChecks } from './notice-checks.ts'
import type { NoticeCheck } from './payment-record-query.ts'

it('takes the newest answer of each check, and says how often it was asked', () => {
  const [, , , confirmation] = summarizeChecks([
    check('confirmation', 'unknown', 1, '403'),
    check('confirmation', 'passed', 2),
  ])

  expect(confirmation).toMatchObject({ result: 'passed', detail: 'asked 2 times' })
})

it('fails merchant and amount when any part of it fails', () => {
  const [, , amount] = summarizeChecks([
    check('merchant', 'passed', 1),
    check('attempt', 'passed', 2),
    check('amount', 'failed', 3),
  ])

  expect(amount?.result).toBe('failed')
})

it('says of what was never asked that it was not made', () => {
  const results = summarizeChecks([check('signature', 'failed', 1)]).map(({ result }) => result)

  expect(results).toEqual(['failed', 'not made', 'not made', 'not made'])
})

function check(
  check_name: NoticeCheck['check_name'],
  result: NoticeCheck['result'],
  ...[second, detail]: [number, string?]
): NoticeCheck {
  return { check_name, result, detail: detail ?? null, checked_at: `2026-11-21T08:00:0${second}Z` }
}
