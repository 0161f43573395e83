import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['./testing/postgres.setup.ts', './testing/s3.setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
