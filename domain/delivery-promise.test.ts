import { expect, it } from 'vitest'
import { shop } from '#shop'
import { deliveryDates, deliveryWindow, windowText } from './delivery-promise.ts'
import { addDays, isWorkingDay } from './public-holidays.ts'
import { todayInSouthAfrica } from './today.ts'

const leadTimes = {
  production: [5, 10],
  packing: [1, 2],
  transit: [3, 5],
  closedOn: [],
} as const

it.each([
  ['2026-11-23', '2026-11-27', '2026-12-02', 'an ordinary Monday'],
  ['2026-11-20', '2026-11-26', '2026-12-01', 'a Friday: the weekend does not count'],
  ['2026-11-21', '2026-11-26', '2026-12-01', 'a Saturday arrives no later than Friday'],
  ['2026-12-11', '2026-12-18', '2026-12-23', 'over the Day of Reconciliation'],
  ['2026-12-23', '2026-12-30', '2027-01-05', 'over Christmas and New Year'],
  ['2026-08-07', '2026-08-14', '2026-08-19', 'over a Women’s Day that moved to Monday'],
  ['2027-03-19', '2027-03-30', '2027-04-02', 'over Human Rights Day moved, Good Friday and Family Day'],
  ['2027-12-24', '2027-12-31', '2028-01-05', 'over a Day of Goodwill that moved to Monday'],
  ['2028-04-13', '2028-04-21', '2028-04-26', 'over Easter'],
  ['2028-09-22', '2028-09-29', '2028-10-04', 'over a Heritage Day that moved to Monday'],
])('promises delivery of an order from %s between %s and %s (%s)', (today, from, to) => {
  expect(deliveryWindow(today, { leadTimes })).toEqual({ from, to })
})

it('adds the production time of made-to-order lures to the delivery time', () => {
  expect(deliveryWindow('2026-11-23', { isMadeToOrder: true, leadTimes })).toEqual({
    from: '2026-12-04',
    to: '2026-12-17',
  })
})

it('skips the shop’s closed days when calculating the delivery time', () => {
  const closedOn = ['2026-11-24', '2026-11-25']

  expect(deliveryWindow('2026-11-23', { leadTimes: { ...leadTimes, closedOn } })).toEqual({
    from: '2026-12-01',
    to: '2026-12-04',
  })
})

// covers S12
it('promises only working days, and never an earlier day for a later order', () => {
  let before = deliveryWindow('2026-01-01', { leadTimes })
  for (let day = '2026-01-02'; day < '2029-01-01'; day = addDays(day, 1)) {
    const window = deliveryWindow(day, { leadTimes })
    expect(
      [window.from, window.to].every((arrival) => isWorkingDay(arrival)),
      day,
    ).toBe(true)
    expect(day < window.from && window.from < window.to, day).toBe(true)
    expect(before.from <= window.from && before.to <= window.to, day).toBe(true)
    before = window
  }
})

it('counts the delivery time from the current day in South Africa', () => {
  expect(todayInSouthAfrica(new Date('2026-11-20T22:30:00Z'))).toBe('2026-11-21')
  expect(todayInSouthAfrica(new Date('2026-11-20T21:59:00Z'))).toBe('2026-11-20')
})

it('writes the month of a delivery window once unless the window spans two months', () => {
  expect(windowText({ from: '2026-05-12', to: '2026-05-14' })).toBe('Tue 12 – Thu 14 May')
  expect(windowText({ from: '2026-11-27', to: '2026-12-02' })).toBe('Fri 27 Nov – Wed 2 Dec')
  expect(windowText({ from: '2026-05-12', to: '2026-05-12' })).toBe('Tue 12 May')
})

it('returns the delivery windows for lures in stock and for made-to-order lures', () => {
  const { countedFrom, onShelf, madeToOrder } = deliveryDates('2026-11-23')

  expect(countedFrom).toBe('2026-11-23')
  expect(onShelf).toMatch(/^\w{3} \d+ .*– \w{3} \d+ \w{3}$/)
  expect(madeToOrder).not.toBe(onShelf)
})

it('promises the days of the shop’s settings', () => {
  const { makingDays, processingDays, deliveryDays, closedOn } = shop.shipping
  const shopTimes = { production: makingDays, packing: processingDays, transit: deliveryDays, closedOn }

  for (const isMadeToOrder of [false, true]) {
    expect(deliveryWindow('2026-11-23', { isMadeToOrder })).toEqual(
      deliveryWindow('2026-11-23', { isMadeToOrder, leadTimes: shopTimes }),
    )
  }
})
