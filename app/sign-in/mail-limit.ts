import { authErrorCode } from '#app/data/backend-error.ts'
import { failureText } from '#app/data/failure-text.ts'
import { dateText, shortDateTimeText, timeText } from '#app/ui/local-date.tsx'

const DEFAULT_WAIT_SECONDS = 300

/** Returns the text for an account mail that no rate limit refused. */
export const mailFailure = failureText({
  refused: 'The e-mail was not sent. Please try again.',
  lost: 'We didn’t get an answer, so the e-mail may already be on its way. Check your inbox before you try again.',
})

/** Returns when the sign-in service allows the mail that it refused, in ms since 1970. Throws `error` unless a rate limit refused it. */
export function nextMailAt(error: unknown): number {
  const code = authErrorCode(error)
  if (code !== 'over_email_send_rate_limit' && code !== 'over_request_rate_limit') throw error
  // The service returns the wait only in its message: "after 42 seconds".
  const seconds = /after (\d+) seconds/.exec(String(error))?.[1]
  return Date.now() + Number(seconds ?? DEFAULT_WAIT_SECONDS) * 1000
}

/** Returns `at 14:06` for 14:05:20, so that a retry at the shown time works, with the date unless it is today; `now` for the past. */
export function retryTime(nextAt: number): string {
  const now = Date.now()
  if (nextAt <= now) return 'now'
  const at = new Date(nextAt + 59_999).toISOString()
  const isToday = dateText(at) === dateText(new Date(now).toISOString())
  return `at ${isToday ? timeText(at) : shortDateTimeText(at)}`
}

export function tooSoonText(nextAt: number): string {
  return `We couldn’t send another e-mail so soon. Check your inbox and your spam folder for an earlier one, or try again ${retryTime(nextAt)}.`
}

/** Returns the message for a mail that a rate limit refused, or null for a sent one; throws for other errors. */
export async function mailRefusal(
  sending: Promise<unknown>,
  textFor: (nextAt: number) => string = tooSoonText,
): Promise<string | null> {
  try {
    await sending
    return null
  } catch (error) {
    return textFor(nextMailAt(error))
  }
}
