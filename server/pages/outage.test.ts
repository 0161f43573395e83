import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOutage } from './outage.ts'

const failedPage = async () => ({ response: new Response(null, { status: 500 }), errors: [] })
let outage: ReturnType<typeof createOutage>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  outage = createOutage()
})
afterEach(() => void vi.useRealTimers())

it('takes the database for away when a page fails that shares a call which was refused before it began', async () => {
  await outage.noteResponse(new Response(null, { status: 503 }))
  vi.advanceTimersByTime(50)

  await expect(outage.watch(failedPage)).rejects.toThrow()

  expect(outage.isOn()).toBe(true)
})

it('takes a page that fails long after a refused call for a fault of the shop', async () => {
  await outage.noteResponse(new Response(null, { status: 503 }))
  vi.advanceTimersByTime(2000)

  expect((await outage.watch(failedPage)).response.status).toBe(500)

  expect(outage.isOn()).toBe(false)
})
