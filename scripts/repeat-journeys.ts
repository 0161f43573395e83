import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, projectFolder } from './prepare.mjs'
import { describeFailure, readJourneys } from './test-reports.ts'

/**
 * `npm run e2e:repeat [-- <count>]`: repeats the e2e stage until a hundred repeats in a row have passed (about eight hours), and ends with an
 * error when a journey fails. `e2e/repeats.json` keeps the counts, to be committed: several nights, on any machine, add up. A failure starts
 * the row anew. A change of what journeys run starts a new entry, which shows how often each state of the project was repeated.
 */
const TALLY = join(projectFolder, 'e2e', 'repeats.json')
const NOT_RUN = ['*.md', '*.test.ts', '*.test.tsx', 'docs/', 'bench/', 'test/faults/', 'e2e/repeats.json']
const WHAT_JOURNEYS_RUN = ['--', '.', ...NOT_RUN.map((path) => `:!${path}`)]

interface Entry {
  /** Digest of all that journeys run. */
  tree: string
  repeats: number
  /** Titles of the journeys that failed in the last of these repeats. */
  failures: string[]
}

const wanted = Number(process.argv[2] ?? 100)
if (!Number.isInteger(wanted) || wanted < 1) throw new Error('Pass the number of repeats, for example 100.')
if (git('status', '--porcelain', '--untracked-files=no', ...WHAT_JOURNEYS_RUN))
  throw new Error('Commit your changes first: what journeys run must stay the same.')
const files = git('ls-files', '--stage', ...WHAT_JOURNEYS_RUN)
const tree = createHash('sha256').update(files).digest('hex').slice(0, 16)

const entries: Entry[] = JSON.parse(readFileSync(TALLY, 'utf8'))
await build()
while (passedInARow() < wanted) {
  const entry = currentEntry()
  entry.failures = await failedJourneys()
  entry.repeats += 1
  writeFileSync(TALLY, `${JSON.stringify(entries, null, 2)}\n`)
  if (entry.failures.length > 0) process.exit(1)
  console.log(`${passedInARow()} of ${wanted} repeats in a row passed`)
}

/** Returns the number of repeats since the last one with a failure, over all states of the project. */
function passedInARow(): number {
  const lastFailure = entries.findLastIndex(({ failures }) => failures.length > 0)
  return entries.slice(lastFailure + 1).reduce((sum, { repeats }) => sum + repeats, 0)
}

/** Returns the last entry, or a new one when it counts another state of the project or ended with a failure. */
function currentEntry(): Entry {
  const last = entries.at(-1)
  if (last && last.tree === tree && last.failures.length === 0) return last
  const entry: Entry = { tree, repeats: 0, failures: [] }
  entries.push(entry)
  return entry
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', maxBuffer: 1e8 })
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
