import { globSync, readFileSync } from 'node:fs'
import { startTestServer, whyWithoutS3Server } from '@saltfreak/backend/testing'
import type { EngineStarter } from '../../e2e/engines/engine.ts'
import { firefox } from '../../e2e/engines/firefox.ts'
import { webkit } from '../../e2e/engines/webkit.ts'
import { buildShopTemplate } from '../../test/templates.ts'
import { build } from '../prepare.mjs'
import { playwrightReport, vitestReport } from '../test-reports.ts'
import { command, oneByOne, type Outcome, sideBySide, succeeds, together } from './programs.ts'

/** Contract tests that run over real sockets in the gate: one file for each service. The long run repeats all of them, and the attacks. */
const OVER_SOCKETS = [
  'packages/backend/contracts/auth/sign-up-and-in.contract.test.ts',
  'packages/backend/contracts/rest/client.contract.test.ts',
  'packages/backend/contracts/functions/functions.contract.test.ts',
  'packages/backend/contracts/storage/files.contract.test.ts',
  'test/contracts/orders.contract.test.ts',
]
/** These mock the same module alike, so they share a process. */
const WITH_BROWSER_BACKEND = testsWith(/\bvi\.mock\(.*browser-backend\.ts/)
/**
 * The other files share three processes, because loading the modules of each anew would cost as much as the tests. A module that a file
 * mocks, or that was loaded before the file mocks it, would reach the next file; so would the memory of large uploads, the client
 * that pages load once, and the sign-ins that a process delays.
 */
const IN_OWN_PROCESS = [
  ...testsWith(/\bvi\.(do)?mock\(/i).filter((file) => !WITH_BROWSER_BACKEND.includes(file)),
  ...testsWith(/\bsetPublishableKey\(/),
  'packages/backend/storage/large-uploads.test.ts',
  'packages/backend/auth/attacks/full-queue.test.ts',
]
/** These open sockets of their own in every mode. */
const ALWAYS_OVER_SOCKETS = excluding(
  ['realtime', 'standalone'].map((service) => `packages/backend/contracts/${service}/**`),
)

export interface Stage {
  name: string
  run: () => Promise<Outcome>
  /** Whether the next stages begin without waiting for it. */
  isInBackground?: boolean
}

/** All stages, in order. `isLong`: those of the long run too. */
export function gateStages({ isLong }: { isLong: boolean }): Stage[] {
  return [
    { name: 'format', run: () => command(['oxfmt', '--check']) },
    { name: 'route types', run: () => command(['react-router', 'typegen']) },
    {
      name: 'lint, types',
      run: () =>
        // Linter and type checker read the types once, together.
        sideBySide(['oxlint', '--type-aware', '--type-check'], ['knip'], ['stylelint', 'app/**/*.css']),
    },
    { name: 'build', run: () => succeeds(build) },
    // It mostly waits, so the others use its hour.
    ...(isLong
      ? [{ name: 'soak', run: () => command(['node', 'bench/soak.ts'], 'pipe'), isInBackground: true }]
      : []),
    {
      name: 'tests',
      run: () =>
        withTestServer(() =>
          together(
            sharedVitest('tests', [
              // They wait for processes and databases: a third worker uses that time, 135 instead of 162 seconds.
              '--maxWorkers',
              '3',
              ...excluding([
                ...IN_OWN_PROCESS,
                ...WITH_BROWSER_BACKEND,
                // Over sockets they prove the same and more.
                ...(isLong ? [] : OVER_SOCKETS),
              ]),
            ]),
            oneByOne(
              () => vitest('isolated', ['--maxWorkers', '1', ...IN_OWN_PROCESS]),
              () => sharedVitest('browser', ['--maxWorkers', '1', ...WITH_BROWSER_BACKEND]),
              () => overSockets(isLong),
            ),
          ),
        ),
    },
    { name: 'e2e', run: () => e2e() },
    {
      name: 'engines',
      run: () => command(['node', 'e2e/engines/run.ts', ...(isLong ? [] : ['--short'])]),
    },
    ...(isLong ? longStages() : []),
  ]
}

function longStages(): Stage[] {
  return [
    { name: 'S3', run: storageOnS3 },
    { name: 'Firefox', run: () => journeysIn(firefox) },
    { name: 'WebKit', run: () => journeysIn(webkit) },
    { name: 'mutation', run: () => command(['stryker', 'run']) },
    { name: 'faults', run: plantFaults },
  ]
}

/** A quarter of the faults, as far as the long run's ninety minutes allow. */
function plantFaults(): Promise<Outcome> {
  const left = Math.max(5, 85 - process.uptime() / 60)
  return command([
    'node',
    'scripts/test-faults.ts',
    '--quarter',
    quarterOfToday(),
    '--minutes',
    left.toFixed(0),
  ])
}

/** Another quarter of the faults each day: all of them take an hour (decision 0058). */
function quarterOfToday(): string {
  return String((Math.floor(Date.now() / 86_400_000) % 4) + 1)
}

/** The journeys once more, in another engine. With `CI` set, a missing engine fails. */
async function journeysIn(engine: EngineStarter): Promise<Outcome> {
  const missing = engine.missing()
  if (missing && !process.env.CI) return { passed: true, output: `skipped: this machine lacks ${missing}` }
  return playwright(engine.name, [
    '--reporter=list,json,./e2e/engines/count-journeys.ts',
    '--config',
    'e2e/engines/playwright.config.ts',
    '--project',
    engine.name,
  ])
}

/** The storage tests again, with their files on a real S3 server. */
async function storageOnS3(): Promise<Outcome> {
  const reason = whyWithoutS3Server()
  if (reason) return { passed: true, output: `skipped: ${reason}` }
  const env = ['env', 'STORAGE_DRIVER=s3', 'PROPERTY_RUNS=25']
  const tests = [
    'packages/backend/storage',
    'packages/backend/contracts/storage',
    'packages/backend/backup/copy-files',
  ]
  return command([...env, 'vitest', 'run', ...vitestReport('s3'), ...tests])
}

/** Only the tests and journeys below these paths. */
export function stagesFor(chosen: string[]): Stage[] {
  const journeys = chosen.filter((path) => path.startsWith('e2e'))
  const others = chosen.filter((path) => !path.startsWith('e2e'))
  return [
    ...(others.length > 0 ? [{ name: 'tests', run: () => vitest('tests', others) }] : []),
    ...(journeys.length > 0
      ? [
          { name: 'build', run: () => succeeds(build) },
          { name: 'e2e', run: () => e2e(journeys) },
        ]
      : []),
  ]
}

function testsWith(words: RegExp): string[] {
  return globSync('**/*.test.{ts,tsx}', { exclude: ['**/node_modules'] }).filter((file) =>
    words.test(readFileSync(file, 'utf8')),
  )
}

function excluding(patterns: string[]): string[] {
  return patterns.flatMap((pattern) => ['--exclude', pattern])
}

function overSockets(isLong: boolean): Promise<Outcome> {
  const tests = isLong ? ['/contracts/', 'test/attacks/'] : OVER_SOCKETS
  return sharedVitest('sockets', ['--maxWorkers', '1', '--mode', 'socket', ...ALWAYS_OVER_SOCKETS, ...tests])
}

/** Vitest with one process for all files of a worker. */
function sharedVitest(stage: string, args: string[]): Promise<Outcome> {
  return vitest(stage, ['--no-isolate', ...args])
}

function vitest(stage: string, args: string[]): Promise<Outcome> {
  return command(['vitest', 'run', ...vitestReport(stage), ...args])
}

function e2e(journeys: string[] = []): Promise<Outcome> {
  return playwright('e2e', ['--reporter=list,json', ...journeys])
}

function playwright(stage: string, args: string[]): Promise<Outcome> {
  return command(['env', playwrightReport(stage), 'playwright', 'test', ...args])
}

/** Lets the test runs of a stage share a PostgreSQL: otherwise each creates its own and applies the shop's SQL. */
async function withTestServer(run: () => Promise<Outcome>): Promise<Outcome> {
  const { superuserUrl, stop } = await startTestServer()
  try {
    // SQL that cannot be applied fails only the tests that need the shop: each run finds that out for itself.
    if ((await buildShopTemplate(superuserUrl)) === null) process.env.TEST_SERVER_URL = superuserUrl
    return await run()
  } finally {
    Reflect.deleteProperty(process.env, 'TEST_SERVER_URL')
    await stop()
  }
}
