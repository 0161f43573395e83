import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import HungRunReporter from './reporter.ts'

/** What the reporter reads of a file and its test. */
function aFile() {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Vitest makes them only for its own runs
  const file = {
    moduleId: '/a.test.ts',
    relativeModuleId: 'a.test.ts',
    children: { allTests: () => [] },
  } as unknown as TestModule
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same
  const result = { module: file } as TestCase
  return { file, result }
}

it('waits no longer for a file that has ended, although its last result is reported afterwards', () => {
  vi.useFakeTimers()
  const reporter = new HungRunReporter()
  const { file, result } = aFile()

  reporter.onTestModuleQueued(file)
  reporter.onTestCaseReady(result)
  expect(vi.getTimerCount()).toBe(1)
  reporter.onTestModuleEnd(file)
  reporter.onTestCaseResult(result)

  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

it('ends a test run with an endless loop, names the file, and leaves no process behind', async () => {
  const run = spawn('vitest', ['run', '--config', `${import.meta.dirname}/vitest.config.ts`], {
    env: { ...process.env, HUNG_AFTER_MS: '3000', NODE_OPTIONS: '' },
    // The run's processes share its output, so `close` fires when the last of them has ended.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += String(chunk)))

  const [code] = await once(run, 'close')

  expect(output).toContain('never-ends.ts has reported nothing for 3 s: the run ends here.')
  expect(code).toBe(1)
})
