import { expect, it } from 'vitest'
import { findLockers, parseLockers, findNearbyLockers, lockerText } from './lockers.ts'

const lockers = parseLockers({
  asOf: '2026-11-01',
  rows: [
    ['AA1', 'Garage on the Square', '1 Main Rd, Walmer', 'Gqeberha', '6070', -33.98, 25.58],
    ['AA2', 'Supermarket', '2 Beach Rd, Summerstrand', 'Gqeberha', '6001', -34.0, 25.66],
    ['AA3', 'Corner Shop', '3 High St', 'Makhanda', '6139', -33.31, 26.53],
    ['AA4', 'Nowhere Known', '4 Side St', 'Makhanda', '6139', null, null],
  ],
})
const codes = (found: { code: string }[]) => found.map(({ code }) => code)

// covers S29
it.each([
  ['walmer', ['AA1']],
  ['gqeberha', ['AA1', 'AA2']],
  ['beach gqe', ['AA2']],
  ['6139', ['AA3', 'AA4']],
  ['aa3', ['AA3']],
  ['Makhanda, high', ['AA3']],
  ['pretoria', []],
  ['', []],
  [' , ', []],
])('finds lockers by the query %j', (query, found) => {
  expect(codes(findLockers(lockers, query))).toEqual(found)
})

// covers S29
it('lists nearby lockers by distance and omits distant ones', () => {
  const found = findNearbyLockers(lockers, { latitude: -34.0, longitude: 25.65 })

  expect(codes(found.map(({ locker }) => locker))).toEqual(['AA2', 'AA1'])
  expect(found[0]?.kilometres).toBeCloseTo(0.9, 1)
  expect(found[1]?.kilometres).toBeCloseTo(6.8, 0)
})

it('formats a locker with the code first', () => {
  const [garage] = lockers
  expect(garage && lockerText(garage)).toBe('AA1 Garage on the Square, 1 Main Rd, Walmer, Gqeberha, 6070')
})

it('searches fifteen hundred lockers between two keystrokes', () => {
  const many = Array.from({ length: 1500 }, (_, i) => ({ ...lockers[i % 4]!, code: `CG${i}` }))
  const durations = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    for (const query of ['w', 'wa', 'wal', 'walm', 'walme']) findLockers(many, query)
    return (performance.now() - startedAt) / 5
  })

  // The best of five runs: a busy machine interrupts some of them.
  expect(Math.min(...durations)).toBeLessThan(50)
})
