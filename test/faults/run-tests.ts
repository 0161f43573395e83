/**
 * Runs the test files that messages name, in the project of the current folder. `scripts/test-faults.ts` starts it once for many faults,
 * because the start of Vitest and the compilation of all modules take longer than most tests.
 */
import { resolve } from 'node:path'
import { createVitest } from 'vitest/node'

export interface TestRequest {
  /** The file with the fault, now or in the last run. */
  file: string
  tests: string[]
}

const vitest = await createVitest('test', {
  watch: false,
  maxWorkers: 1,
  bail: 1,
  reporters: [],
  // Shorter limits than the gate's: what waits for the effect of a planted fault waits in vain, many times.
  testTimeout: 20_000,
  expect: { poll: { timeout: 10_000 } },
})

const changed = new Set<string>()

/** Returns the first error, or null when all tests pass. */
async function findError({ file, tests }: TestRequest): Promise<string | null> {
  for (const path of changed.add(resolve(file))) vitest.invalidateFile(path)
  changed.clear()
  changed.add(resolve(file))
  // Vitest skips all tests after a failure of an earlier run.
  vitest.state.filesMap.clear()
  const files = await vitest.globTestSpecifications(tests)
  if (files.length === 0) return 'there are no tests'
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(files)
  const failed = testModules.filter((module) => !module.ok())
  const errors = failed.flatMap((module) => [
    ...module.errors(),
    ...Array.from(module.children.allTests('failed'), (test) => test.result().errors ?? []).flat(),
  ])
  const [first] = [...errors, ...unhandledErrors].map(messageOf)
  return first ?? (failed.length > 0 ? 'a file failed' : null)
}

/** Errors of workers arrive without their prototype. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'unknown'
}

process.on('message', (request: TestRequest) => {
  void findError(request).then((error) => process.send?.({ error }))
})
