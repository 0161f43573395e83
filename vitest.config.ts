import { isLongRun } from '@saltfreak/backend/testing'
import { defineConfig } from 'vitest/config'
import { nodeFlags } from './scripts/prepare.mjs'
import { LongestFirst } from './test/longest-first.ts'

export default defineConfig({
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', 'build/**', 'data/**', 'e2e/**'],
    reporters: ['default', './test/hung-run/reporter.ts'],
    globalSetup: ['./test/postgres.setup.ts', './packages/backend/testing/s3.setup.ts'],
    setupFiles: ['./test/keep-globals.ts'],
    // Machines are shared: what is slow there is not wrong. A hung test is ended a little later (test/hung-run).
    // The long run tries twenty times as many cases within one test.
    testTimeout: isLongRun ? 600_000 : 60_000,
    // It also starts S3 servers, beside all else that it runs.
    hookTimeout: isLongRun ? 600_000 : 60_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    // Half of the work is PostgreSQL's: one worker leaves a core of two idle while it waits.
    maxWorkers: 2,
    // Programs that tests fork inherit them.
    execArgv: nodeFlags,
  },
})
