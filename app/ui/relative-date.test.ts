import { expect, it } from 'vitest'
import { relativeDate } from './relative-date.ts'

// 00:45 on 21 November in the shop's time zone.
const NOW = new Date('2026-11-20T22:45:00Z')

// covers A7
it.each([
  ['2026-11-20T22:44:40Z', 'just now'],
  ['2026-11-20T22:33:00Z', '12 minutes ago'],
  ['2026-11-20T22:01:00Z', '44 minutes ago'],
  ['2026-11-20T21:40:00Z', 'yesterday'],
  ['2026-11-21T03:50:00Z', 'in 5 hours'],
  ['2026-11-21T22:30:00Z', 'tomorrow'],
  ['2026-11-18T10:00:00Z', '3 days ago'],
  ['2026-11-13T22:30:00Z', '14 Nov'],
  ['2026-11-03T10:00:00Z', '03 Nov'],
  ['2025-11-03T10:00:00Z', '03 Nov 2025'],
])('formats the date %s as “%s”', (at, words) => {
  expect(relativeDate(new Date(at), NOW)).toBe(words)
})
