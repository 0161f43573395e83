import { expect, it } from 'vitest'
import { decide, type OpenAlert } from './alert.ts'

const BROKEN = new Date('2026-11-21T08:00:00.000Z')
const WORKS = { component: 'mail', state: 'ok', message: 'E-mails are sent without delay.' } as const
const FAILS = {
  component: 'mail',
  state: 'failed',
  message: 'E-mails wait.',
  action: 'Send a test e-mail.',
} as const
const WARNS = {
  component: 'mail',
  state: 'warning',
  message: '1 e-mail could not be delivered.',
  action: 'Open Needs attention.',
} as const

/** An alert whose component has worked again since `BROKEN`, after `earlier` other alerts within a day. */
function recovering(earlier: number): OpenAlert {
  return { ...FAILS, since: '2026-11-20T06:00:00.000Z', okSince: BROKEN.toISOString(), earlier }
}

const minutesLater = (minutes: number) => new Date(BROKEN.getTime() + minutes * 60_000)

it.each([
  { earlier: 0, minutes: 10 },
  { earlier: 1, minutes: 20 },
  { earlier: 3, minutes: 80 },
  { earlier: 9, minutes: 240 },
])(
  'sends the all-clear when a component with $earlier earlier alerts has worked for $minutes minutes',
  ({ earlier, minutes }) => {
    const open = recovering(earlier)

    expect(decide(open, WORKS, minutesLater(minutes - 1))).toEqual({ open, alert: null })
    expect(decide(open, WORKS, minutesLater(minutes))).toEqual({
      open: null,
      alert: { ...WORKS, action: null, since: open.since },
    })
  },
)

it('waits for the all-clear anew when the component fails again meanwhile', () => {
  const { open, alert } = decide(recovering(0), FAILS, minutesLater(9))

  expect(alert).toBeNull()
  expect(open?.okSince).toBeNull()
  expect(decide(open, WORKS, minutesLater(10)).open?.okSince).toBe(minutesLater(10).toISOString())
})

it('announces another failure once the last one was only a warning for ten minutes', () => {
  const open = { ...recovering(0), okSince: null }
  const warned = decide(open, WARNS, BROKEN)
  expect(decide(warned.open, FAILS, minutesLater(9))).toEqual({ open, alert: null })

  const lowered = decide(warned.open, WARNS, minutesLater(10))
  const failedAgain = decide(lowered.open, FAILS, minutesLater(11))

  expect([warned.alert, lowered.alert]).toEqual([null, null])
  expect(lowered.open).toEqual({ ...open, ...WARNS })
  expect(failedAgain).toEqual({ open, alert: { ...FAILS, since: open.since } })
})

it('raises an alert with what to do, from the moment of the finding', () => {
  expect(decide(null, FAILS, BROKEN)).toEqual({
    open: { ...FAILS, since: BROKEN.toISOString(), okSince: null, earlier: 0 },
    alert: { ...FAILS, since: BROKEN.toISOString() },
  })
})
