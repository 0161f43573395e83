import { afterEach, expect, it, vi } from 'vitest'
import { type KeptProcess, keepProcesses } from './keep-processes.ts'

const pauses = vi.hoisted((): unknown[] => [])
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: unknown) => void pauses.push(ms),
}))

/** A process that ends when the test says so, again and again. */
async function keepOneProcess() {
  const started: ((reason: string) => void)[] = []
  const start = (): KeptProcess => {
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    started.push(end)
    return { pid: 1, ready: Promise.resolve(true), ended, stop: async () => end('stopped') }
  }
  const logged: object[] = []
  const log = { info() {}, error: (facts: object) => void logged.push(facts) }
  const kept = await keepProcesses({ count: 1, start, log })
  return {
    stop: () => kept.stop(),
    logged,
    async end(reason: string) {
      const { length } = started
      started.at(-1)?.(reason)
      await vi.waitFor(() => expect(started).toHaveLength(length + 1), { interval: 1 })
    },
  }
}

afterEach(() => {
  pauses.length = 0
  vi.restoreAllMocks()
})

it('waits at most ten seconds before it replaces a process that keeps ending', async () => {
  const kept = await keepOneProcess()
  for (let times = 0; times < 9; times += 1) await kept.end('killed') // oxlint-disable-line no-await-in-loop -- in order

  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
  await kept.stop()
})

it('replaces a process soon when it was ready for more than three seconds', async () => {
  const kept = await keepOneProcess()
  await kept.end('killed')
  await kept.end('killed')
  // The process that runs now has just become ready.
  await new Promise(setImmediate)
  const now = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(now + 3001)
  await kept.end('out of memory')

  expect(pauses).toEqual([100, 200, 100])
  expect(kept.logged.at(-1)).toEqual({ ended: 1, reason: 'out of memory' })
  await kept.stop()
})

it('does not take a process that ended before it was ready for a healthy one', async () => {
  const neverReady = Promise.withResolvers<boolean>()
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  let starts = 0
  const start = (): KeptProcess => {
    starts += 1
    if (starts === 2) return { pid: 2, ready: neverReady.promise, ended, stop: async () => end('stopped') }
    const first = Promise.withResolvers<string>()
    if (starts === 1) setImmediate(first.resolve, 'killed')
    return {
      pid: starts,
      ready: Promise.resolve(true),
      ended: first.promise,
      stop: async () => first.resolve(''),
    }
  }
  const kept = await keepProcesses({ count: 1, start, log: { info() {}, error() {} } })
  await vi.waitFor(() => expect(starts).toBe(2), { interval: 1 })
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  neverReady.resolve(false)
  end('exit code 1')
  await vi.waitFor(() => expect(starts).toBe(3), { interval: 1 })

  expect(pauses).toEqual([100, 200])
  await kept.stop()
})
