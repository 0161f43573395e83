import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { parseLockers, type LockerList } from '#domain/lockers.ts'
import { lockerListFrom } from './courier-lockers.ts'

/** A locker in the format of the courier's plug-in for another shop system, including unused fields. */
const rivonia = {
  code: 'CG54',
  name: 'Sasol Rivonia Uplifted',
  latitude: '-26.049703',
  longitude: '28.059084',
  openinghours: [{ day: 'Monday', open_time: '08:00:00', close_time: '17:00:00' }],
  address: '375 Rivonia Rd, Rivonia, Sandton, 2191, South Africa',
  type: { id: 2, name: 'Locker' },
  place: { placeNumber: '', town: 'Sandton', postalCode: '2191' },
}
const row = ['CG54', 'Sasol Rivonia Uplifted', '375 Rivonia Rd, Rivonia', 'Sandton', '2191', -26.05, 28.059]

// covers S29
it.each([
  ['an array', [rivonia]],
  ['an array in data', { data: [rivonia] }],
])('reads the courier’s lockers from %s', (_name, answer) => {
  expect(lockerListFrom(answer, '2026-11-21')).toEqual({ asOf: '2026-11-21', rows: [row] })
})

it('keeps lockers without place or position and sorts lockers by code', () => {
  const bare = { code: 'CG9', name: 'Somewhere', latitude: null, longitude: 'east' }

  expect(lockerListFrom([rivonia, bare], '').rows).toEqual([
    ['CG9', 'Somewhere', '', '', '', null, null],
    row,
  ])
})

it('refuses a courier’s response that is not a list of lockers', () => {
  expect(() => lockerListFrom([{ name: 'no code' }], '')).toThrow()
  expect(() => lockerListFrom({ message: 'Unauthenticated.' }, '')).toThrow()
})

it('keeps the shop’s locker list within 40 kB', () => {
  const file = readFileSync(new URL('../assets/lockers.json', import.meta.url))
  const list: LockerList = JSON.parse(file.toString())

  expect(gzipSync(file).length).toBeLessThanOrEqual(40_000)
  expect(parseLockers(list).every(({ code, name }) => code !== '' && name !== '')).toBe(true)
})
