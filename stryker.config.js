/** `npm run test:mutation`: mutates the pure modules, whose tests need neither a database nor a network. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  mutate: [
    'domain/**/*.ts',
    'payments/payfast/{form,notice,php-encoding,signature}.ts',
    'packages/backend/http/{network,edge,keys,gateway}.ts',
    'packages/backend/rest/request/*.ts',
    'packages/backend/{auth/factors/totp,realtime/changes/filter}.ts',
    'packages/backend/storage/{objects/byte-range,uploads/content-sniffer}.ts',
    '!**/*.test.ts',
  ],
  ignorePatterns: ['/assets', '/bench', '/build', '/data', '/docs', '/e2e', '/public', '/test-results'],
  // Stryker rewrites tsconfig.json with TypeScript's API, which TypeScript 7 does not have. Vitest needs no rewritten paths.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  // A mutant in a constant would run all tests. The fault catalogue covers the constants that are rules.
  ignoreStatic: true,
  concurrency: 2,
  tempDirName: '.stryker',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  jsonReporter: { fileName: 'test-results/mutation.json' },
  thresholds: { high: 95, low: 85, break: 85 },
}
