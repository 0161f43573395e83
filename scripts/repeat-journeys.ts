import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, projectFolder } from './prepare.mjs'
import { describeFailure, readJourneys } from './test-reports.ts'

/**
 * `npm run e2e:repeat [-- <count>]`: repeats the e2e stage, by default until a hundred repeats are counted (about eight hours), and fails if
 * a journey failed in any of them. `e2e/repeats.json` keeps the count, to be committed: several nights, on any machine, add up. It starts
 * anew when anything changes that journeys run.
 */
const TALLY = join(projectFolder, 'e2e', 'repeats.json')
const NOT_RUN = ['*.md', '*.test.ts', '*.test.tsx', 'docs/', 'bench/', 'test/faults/', 'e2e/repeats.json']
const WHAT_JOURNEYS_RUN = ['--', '.', ...NOT_RUN.map((path) => `:!${path}`)]

interface Tally {
  /** Digest of all that journeys run. */
  tree: string
  repeats: number
  /** Number of failures by journey. */
  failures: Record<string, number>
}

const wanted = Number(process.argv[2] ?? 100)
if (!Number.isInteger(wanted) || wanted < 1) throw new Error('Pass the number of repeats, for example 100.')
if (git('status', '--porcelain', '--untracked-files=no', ...WHAT_JOURNEYS_RUN))
  throw new Error('Commit your changes first: what journeys run must stay the same.')
const files = git('ls-files', '--stage', ...WHAT_JOURNEYS_RUN)
const tree = createHash('sha256').update(files).digest('hex').slice(0, 16)

const tally = readTally()
await build()
while (tally.repeats < wanted) {
  for (const title of await failedJourneys()) tally.failures[title] = (tally.failures[title] ?? 0) + 1
  tally.repeats += 1
  writeFileSync(TALLY, `${JSON.stringify(tally, null, 2)}\n`)
  console.log(`${tally.repeats} of ${wanted}: ${Object.keys(tally.failures).length} journeys failed so far`)
}
for (const [title, count] of Object.entries(tally.failures)) console.log(`✗ ${count} × ${title}`)
console.log(`\n${tally.repeats} repeats, ${Object.keys(tally.failures).length} flaky journeys`)
process.exitCode = Object.keys(tally.failures).length > 0 ? 1 : 0

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', maxBuffer: 1e8 })
}

/** The kept count, or a new one if it counts another state of the project. */
function readTally(): Tally {
  const kept: Tally = JSON.parse(readFileSync(TALLY, 'utf8'))
  return kept.tree === tree ? kept : { tree, repeats: 0, failures: {} }
}

/** Runs all journeys once, prints those that failed and returns their titles. Throws when Playwright ends without a report. */
async function failedJourneys(): Promise<string[]> {
  const { stdout, signal } = spawnSync('playwright', ['test', '--reporter=json'], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (signal) process.exit(1)
  const journeys = await readJourneys(JSON.parse(stdout))
  return journeys.flatMap(({ file, failures }) =>
    failures.map((failure) => {
      const title = `${file}: ${failure.title}`
      console.log(`✗ ${title}\n${describeFailure(failure)}`)
      return title
    }),
  )
}
