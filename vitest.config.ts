import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', 'build/**', 'data/**', 'e2e/**'],
    reporters: ['default', './test/hung-run/reporter.ts'],
    globalSetup: ['./test/postgres.setup.ts', './packages/backend/testing/s3.setup.ts'],
    setupFiles: ['./test/keep-globals.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The default of one second is too short beside two other workers.
    expect: { poll: { timeout: 10_000 } },
    // Half of the work is PostgreSQL's: one worker leaves a core of two idle while it waits.
    maxWorkers: 2,
  },
})
