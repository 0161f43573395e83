import { beforeEach, expect, it, vi } from 'vitest'
import { mailRefusal, retryTime } from './mail-limit.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

/** A refusal of the sign-in service, as `queryBackend` throws it. */
const refused = (code: string, message: string) =>
  Promise.reject(new Error(message, { cause: Object.assign(new Error(message), { code, status: 429 }) }))

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  return () => vi.useRealTimers()
})

it.each([
  [20, '14:01'],
  [900, '14:15'],
  [8640, '16:24'],
  [43_200, '22 Nov, 02:00'],
])('says when a mail can be sent that was refused for %s seconds', async (seconds, time) => {
  const message = `For security purposes, you can only request this after ${seconds} seconds.`

  expect(await mailRefusal(refused('over_email_send_rate_limit', message))).toBe(
    `We couldn’t send another e-mail so soon. Check your inbox and your spam folder for an earlier one, or try again at ${time}.`,
  )
})

it('asks to wait five minutes when a refused mail names no time', async () => {
  expect(await mailRefusal(refused('over_request_rate_limit', 'Request rate limit reached'))).toContain(
    'or try again at 14:05.',
  )
})

it('throws an error of a mail that no rate limit refused', async () => {
  await expect(mailRefusal(refused('unexpected_failure', 'down'))).rejects.toThrow('down')
})

it('returns no message for a sent mail', async () => {
  expect(await mailRefusal(Promise.resolve())).toBeNull()
})

it('offers a retry now once the wait is over', () => {
  expect(retryTime(NOW)).toBe('now')
})
