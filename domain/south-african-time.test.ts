import { expect, it } from 'vitest'
import { momentOf, southAfricanDateTime } from './south-african-time.ts'

const LAUNCH = '2026-11-24T17:00:00+00:00'

it('returns the South African date and time of a launch for a date field, and the same moment from it', () => {
  expect(southAfricanDateTime(LAUNCH)).toBe('2026-11-24T19:00')
  expect(momentOf('2026-11-24T19:00')).toBe(LAUNCH)
})

it.each(['', '2026-11-24', '24/11/2026 19:00', '2026-11-24T25:00'])('finds no moment in “%s”', (text) => {
  expect(momentOf(text)).toBeNull()
})
