import { expect, it } from 'vitest'
import { launchText, momentOfMinute, remainingTime, shortLaunchText, southAfricanMinute } from './launch.ts'

const LAUNCH = '2026-11-24T17:00:00+00:00'

it('writes a launch in South African time, whatever the time zone of the device', () => {
  expect(launchText(LAUNCH)).toBe('Tuesday 24 November at 19:00')
  expect(shortLaunchText(LAUNCH)).toBe('Tue 24 Nov, 19:00')
  expect(shortLaunchText('2026-12-31T22:30:00Z')).toBe('Fri 1 Jan, 00:30')
})

it('returns the minute of a launch for a date field, and the same moment from that minute', () => {
  expect(southAfricanMinute(LAUNCH)).toBe('2026-11-24T19:00')
  expect(momentOfMinute('2026-11-24T19:00')).toBe(LAUNCH)
})

it.each(['', '2026-11-24', '24/11/2026 19:00', '2026-11-24T25:00'])('finds no moment in “%s”', (text) => {
  expect(momentOfMinute(text)).toBeNull()
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
