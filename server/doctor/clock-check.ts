import { failed, type HealthCheck, ok } from '../health/finding.ts'
import type { Settings } from '../settings.ts'
import { codeOf } from './error-code.ts'

const ANSWER_MS = 10_000
/** Second factors and PayFast's notices tolerate a difference of this size. */
const CLOCK_TOLERANCE_S = 30

/** Returns what the `Date` header of another server says about this machine's clock; null when they agree. */
export function clockProblem(date: string | null, { of, now }: { of: string; now: number }) {
  const seconds = date === null ? 0 : Math.round((now - Date.parse(date)) / 1000)
  if (Math.abs(seconds) <= CLOCK_TOLERANCE_S) return null
  return failed(
    `This machine’s clock is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} ${of}.`,
    'Let the machine set its clock: timedatectl set-ntp true',
  )
}

/**
 * The machine reaches PayFast, and agrees with its clock: a proxy on the same machine would be wrong together with the shop. Nothing
 * is asked in the simulator's mode.
 */
export function clockChecks({ payfast }: Pick<Settings, 'payfast'>, now = Date.now): HealthCheck[] {
  if (payfast.mode === 'simulator') return []
  const { origin } = new URL(payfast.validateUrl)
  async function check() {
    try {
      const answer = await fetch(origin, {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      const problem = clockProblem(answer.headers.get('Date'), { of: 'PayFast’s', now: now() })
      return problem ?? ok('This machine reaches PayFast, and their clocks agree.')
    } catch (error) {
      const code = codeOf(error)
      return failed(
        `This machine does not reach PayFast at ${origin}${code && ` (${code})`}, so no payment can be confirmed.`,
        'Allow outgoing connections to port 443, and check the machine’s name servers.',
      )
    }
  }
  return [{ component: 'clock and PayFast', check }]
}
