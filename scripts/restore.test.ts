import { expect, it } from 'vitest'
import { runUntilExit } from '#test/running-shop.ts'
import { readMoment } from './restore-moment.ts'

it('refuses to restore a moment without a time zone, with a one-line error', async () => {
  const args = ['/nowhere', '--into', '/nowhere/copy', '--at', '2026-11-23T19:30']

  expect(await runUntilExit({}, { program: 'scripts/restore.ts', args })).toEqual({
    code: 1,
    output: '--at must be a time like 2026-11-23T19:30:00+02:00, not "2026-11-23T19:30"\n',
  })
})

it.each(['2026-11-23T19:30', '2026-11-23', 'noon'])(
  'does not read %s as a moment to restore: without a time zone, it would be hours off',
  (at) => {
    expect(readMoment(at)).toBeNull()
  },
)

it.each([
  ['2026-11-23T19:30+02:00', '2026-11-23T17:30:00.000Z'],
  ['2026-11-23T17:30:00.000Z', '2026-11-23T17:30:00.000Z'],
  ['2026-11-23T19:30:00.123456+0200', '2026-11-23T17:30:00.123Z'],
])('reads the moment %s, which has a time zone', (at, moment) => {
  expect(readMoment(at)?.toISOString()).toBe(moment)
})
