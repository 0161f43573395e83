import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, projectFolder } from './prepare.mjs'
import { describeFailure, readJourneys } from './test-reports.ts'

/**
 * `npm run e2e:repeat [-- <count>]`: repeats the e2e stage, by default until a hundred repeats are counted (about eight hours), and fails if
 * a journey failed in any of them. Continues the count of the same commit after an interruption, so that several nights add up.
 */
const FOLDER = join(projectFolder, 'node_modules', '.cache', 'journey-repeats')

interface Tally {
  repeats: number
  /** Number of failures by journey. */
  failures: Record<string, number>
}

const wanted = Number(process.argv[2] ?? 100)
if (!Number.isInteger(wanted) || wanted < 1) throw new Error('Pass the number of repeats, for example 100.')
const changes = execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], { encoding: 'utf8' })
if (changes) throw new Error('Commit your changes first: the count belongs to a commit.')
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()

mkdirSync(FOLDER, { recursive: true })
const tallyPath = join(FOLDER, `${commit}.json`)
const tally = readTally()
await build()
while (tally.repeats < wanted) {
  for (const title of await failedJourneys()) tally.failures[title] = (tally.failures[title] ?? 0) + 1
  tally.repeats += 1
  writeFileSync(tallyPath, JSON.stringify(tally))
  console.log(`${tally.repeats} of ${wanted}: ${Object.keys(tally.failures).length} journeys failed so far`)
}
for (const [title, count] of Object.entries(tally.failures)) console.log(`✗ ${count} × ${title}`)
console.log(`\n${tally.repeats} repeats, ${Object.keys(tally.failures).length} flaky journeys`)
process.exitCode = Object.keys(tally.failures).length > 0 ? 1 : 0

function readTally(): Tally {
  try {
    return JSON.parse(readFileSync(tallyPath, 'utf8'))
  } catch {
    // The first repeat of this commit.
    return { repeats: 0, failures: {} }
  }
}

/** Runs all journeys once, prints those that failed and returns their titles. Throws when Playwright ends without a report. */
async function failedJourneys(): Promise<string[]> {
  const { stdout, signal } = spawnSync('playwright', ['test', '--reporter=json'], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (signal) process.exit(1)
  const files = await readJourneys(JSON.parse(stdout))
  return files.flatMap(({ file, failures }) =>
    failures.map((failure) => {
      const title = `${file}: ${failure.title}`
      console.log(`✗ ${title}\n${describeFailure(failure)}`)
      return title
    }),
  )
}
