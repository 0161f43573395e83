import { expect, it } from 'vitest'
import { launchText, remainingTime, shortLaunchText } from './launch.ts'

const LAUNCH = '2026-11-24T17:00:00+00:00'

it('writes a launch in South African time, whatever the time zone of the device', () => {
  expect(launchText(LAUNCH)).toBe('Tuesday 24 November at 19:00')
  expect(shortLaunchText(LAUNCH)).toBe('Tue 24 Nov, 19:00')
  expect(shortLaunchText('2026-12-31T22:30:00Z')).toBe('Fri 1 Jan, 00:30')
})

it('counts down to zero only when the time has come', () => {
  const second = 1000
  expect(remainingTime(2 * 86_400 * second + 3_723 * second)).toEqual({
    days: 2,
    hours: 1,
    minutes: 2,
    seconds: 3,
  })
  expect(remainingTime(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 })
  expect(remainingTime(-5 * second)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 })
})
