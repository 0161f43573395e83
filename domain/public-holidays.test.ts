import { describe, expect, it } from 'vitest'
import { isWorkingDay, publicHolidays } from './public-holidays.ts'

describe('public holidays', () => {
  it.each([
    [
      2026,
      // Women's Day is a Sunday and moves to Monday the 10th.
      '01-01 03-21 04-03 04-06 04-27 05-01 06-16 08-09 08-10 09-24 12-16 12-25 12-26',
    ],
    [
      2027,
      // Human Rights Day and the Day of Goodwill are Sundays.
      '01-01 03-21 03-22 03-26 03-29 04-27 05-01 06-16 08-09 09-24 12-16 12-25 12-26 12-27',
    ],
    [
      2028,
      // Heritage Day is a Sunday.
      '01-01 03-21 04-14 04-17 04-27 05-01 06-16 08-09 09-24 09-25 12-16 12-25 12-26',
    ],
  ])('lists the public holidays of the year %i', (year, days) => {
    expect(publicHolidays(year)).toEqual(days.split(' ').map((day) => `${year}-${day}`))
  })
})

it('does not move a Sunday holiday to a Monday that is a holiday', () => {
  // Christmas 2022 was a Sunday and the Monday was the Day of Goodwill; the 27th was declared for that year alone.
  expect(publicHolidays(2022).slice(-2)).toEqual(['2022-12-25', '2022-12-26'])
})

// covers S12
it.each([
  ['2026-11-23', true, 'a Monday'],
  ['2026-11-21', false, 'a Saturday'],
  ['2026-11-22', false, 'a Sunday'],
  ['2026-12-16', false, 'the Day of Reconciliation'],
  ['2026-08-10', false, 'the Monday that a Sunday gave its holiday to'],
  ['2027-03-26', false, 'Good Friday'],
  ['2027-03-29', false, 'Family Day'],
])('decides whether %s is a working day (%s)', (day, works) => {
  expect(isWorkingDay(day)).toBe(works)
})

it('treats the shop’s closed days as days off', () => {
  expect(isWorkingDay('2026-11-23', ['2026-11-23'])).toBe(false)
})
