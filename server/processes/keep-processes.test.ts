import { expect, it } from 'vitest'
import { type KeptProcess, keepProcesses, StartFailed } from './keep-processes.ts'

/** Processes that end when the test says so. */
function fakeProcesses({ failing = [] }: { failing?: number[] } = {}) {
  const started: { at: number; end(reason: string): void; isStopped: boolean }[] = []
  function start(): KeptProcess {
    const number = started.length
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    const each = { at: performance.now(), end, isStopped: false }
    started.push(each)
    const isFailing = failing.includes(number)
    if (isFailing) end('exit code 1')
    return {
      pid: number,
      ready: Promise.resolve(!isFailing),
      ended,
      async stop() {
        each.isStopped = true
        end('stopped')
      },
    }
  }
  return { started, start }
}

const log = { info() {}, error() {} }

it('replaces a process that keeps ending after pauses that double', async () => {
  const { started, start } = fakeProcesses()
  let crashes = 0
  const kept = await keepProcesses({ count: 2, start, log, onCrash: () => (crashes += 1) })
  for (const number of [0, 2, 3]) {
    // oxlint-disable no-await-in-loop -- one end after the other
    started[number]?.end('killed')
    await expect.poll(() => started.length, { interval: 5 }).toBeGreaterThan(Math.max(number, 1) + 1)
    // oxlint-enable no-await-in-loop
  }
  const [, , second = 0, third = 0, fourth = 0] = started.map(({ at }) => at)

  // A hundred milliseconds, then 200, then 400; timers may fire a millisecond early.
  expect(third - second).toBeGreaterThanOrEqual(195)
  expect(fourth - third).toBeGreaterThanOrEqual(395)
  await kept.stop()
  expect(crashes).toBe(3)
  expect(started.map(({ isStopped }) => isStopped)).toEqual([false, true, false, false, true])
})

it('starts no other process when the first one fails, and stops the others when a later one fails', async () => {
  const first = fakeProcesses({ failing: [0] })
  await expect(keepProcesses({ count: 3, start: first.start, log })).rejects.toThrow(StartFailed)
  expect(first.started).toHaveLength(1)

  const later = fakeProcesses({ failing: [2] })
  await expect(keepProcesses({ count: 3, start: later.start, log })).rejects.toThrow(StartFailed)
  expect(later.started.map(({ isStopped }) => isStopped)).toEqual([true, true, false])
})

it('starts no process in place of one that ended shortly before the shop stops', async () => {
  const { started, start } = fakeProcesses()
  const crash = Promise.withResolvers<void>()
  const kept = await keepProcesses({ count: 2, start, log, onCrash: () => crash.resolve() })

  started[0]?.end('killed')
  await crash.promise
  await kept.stop()
  // What follows the interrupted pause runs before this.
  await new Promise(setImmediate)

  expect(started).toHaveLength(2)
})
