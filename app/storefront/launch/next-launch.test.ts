import { expect, it } from 'vitest'
import { nextLaunch } from './use-refresh-at-launch.ts'

it('finds the earliest launch of several products, also across time zones', () => {
  const launches = [
    '2030-01-01T09:00:00+02:00',
    null,
    '2030-01-01T08:00:00+00:00',
    '2030-01-01T07:30:00+00:00',
  ]

  expect(nextLaunch(launches.map((launchAt) => ({ launchAt })))).toBe('2030-01-01T09:00:00+02:00')
  expect(nextLaunch([{ launchAt: null }])).toBeNull()
})
