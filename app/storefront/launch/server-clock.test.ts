import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followServerTime, serverTime } from './server-clock.ts'

const LAUNCH = Date.parse('2026-12-01T08:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: LAUNCH, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('location', { pathname: '/products/popper' })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Answers with the server's time, after as many milliseconds as the next of the delays. */
function answerAfter(...delays: number[]) {
  const answer = vi.fn<() => Promise<Response>>(async () => {
    await new Promise((resolve) => setTimeout(resolve, delays.shift() ?? 0))
    return new Response(null, { headers: { date: new Date(Date.now()).toUTCString() } })
  })
  vi.stubGlobal('fetch', answer)
  return answer
}

const errorMs = () => Math.abs((serverTime() ?? Infinity) - Date.now())

it('asks for the time again after a slow answer, by which a countdown would end early', async () => {
  answerAfter(20_000, 40)
  const known = vi.fn<() => void>()
  const stop = followServerTime(known)

  await vi.advanceTimersByTimeAsync(20_000)
  expect(known).toHaveBeenCalledTimes(1)
  expect(errorMs()).toBeGreaterThan(5000)

  await vi.advanceTimersByTimeAsync(7000)
  expect(known).toHaveBeenCalledTimes(2)
  expect(errorMs()).toBeLessThan(1000)

  await vi.advanceTimersByTimeAsync(60_000)
  expect(known).toHaveBeenCalledTimes(2)
  stop()
})

it('keeps the time of a quick answer when an earlier, slow one arrives after it', async () => {
  answerAfter(20_000, 40)
  const stop = followServerTime(() => undefined)
  await vi.advanceTimersByTimeAsync(1000)
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(errorMs()).toBeLessThan(1000)

  await vi.advanceTimersByTimeAsync(20_000)

  expect(errorMs()).toBeLessThan(1000)
  stop()
})

it('does not ask again once the page is left', async () => {
  const answer = answerAfter(20_000, 40)
  const stop = followServerTime(() => undefined)

  await vi.advanceTimersByTimeAsync(10_000)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)

  expect(answer).toHaveBeenCalledTimes(1)
})
