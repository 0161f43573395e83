import { defineConfig } from 'vitest/config'

/** For Stryker, which runs the tests of a mutant many times: only tests that need neither a database nor a network. */
export default defineConfig({
  test: {
    include: [
      'domain/**/*.test.ts',
      'payments/payfast/{form,notice,php-encoding,signature}.test.ts',
      'packages/backend/http/{network,edge,keys,gateway}.test.ts',
      'packages/backend/{rest/request,storage/objects,storage/uploads,auth/factors,realtime/changes}/*.test.ts',
    ],
    exclude: ['**/*.database.test.ts', 'node_modules/**'],
    setupFiles: ['./test/keep-globals.ts'],
    // Stryker activates each mutant in modules that are loaded once.
    isolate: false,
  },
})
