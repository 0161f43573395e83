import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { projectFolder } from './prepare.mjs'

/** Not in `test-results`: Playwright empties that folder before its run. */
const REPORTS = join(projectFolder, 'node_modules', '.cache', 'test-reports')
const MAX_SHOWN = 10
/** Of a failure that is printed again; the stage has printed it whole. */
const MAX_LINES = 12
/** Of the page of a failed journey. */
const MAX_PAGE_LINES = 60

interface VitestReport {
  testResults: {
    name: string
    startTime: number
    endTime: number
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}
interface PlaywrightReport {
  suites: PlaywrightSuite[]
}
interface PlaywrightSuite {
  file: string
  suites?: PlaywrightSuite[]
  specs: PlaywrightSpec[]
}
interface PlaywrightSpec {
  title: string
  ok: boolean
  tests: { results: Attempt[] }[]
}
interface Attempt {
  duration: number
  errors: { message?: string }[]
  attachments: { name: string; path?: string }[]
}

interface FileResult {
  file: string
  seconds: number
  failures: Failure[]
}
interface Failure {
  title: string
  message: string
  /** What a screen reader found on the page at the end of a failed journey. */
  page?: string
}

/** Returns an assignment for `env` that makes Playwright's json reporter write the results of each journey. */
export function playwrightReport(stage: string): string {
  return `PLAYWRIGHT_JSON_OUTPUT_FILE=${join(REPORTS, `${stage}.json`)}`
}

/** Returns arguments that make vitest write the results of each file. */
export function vitestReport(stage: string): string[] {
  return [
    ...['default', 'json', './test/hung-run/reporter.ts'].map((name) => `--reporter=${name}`),
    `--outputFile.json=${join(REPORTS, `${stage}.json`)}`,
  ]
}

export async function clearReports(): Promise<void> {
  await rm(REPORTS, { recursive: true, force: true })
  await mkdir(REPORTS, { recursive: true })
}

/** Prints the slowest test files of all stages with a report, then each failure once more, below the output of the later stages. */
export async function printReports(): Promise<void> {
  const names = await readdir(REPORTS).catch(() => [])
  const files = (await Promise.all(names.map((name) => readReport(name)))).flat()
  if (files.length > 0) console.log('\nSlowest test files')
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, MAX_SHOWN)) {
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`)
  }
  for (const { file, failures } of files) {
    for (const failure of failures) console.log(`\n✗ ${file}: ${failure.title}\n${describeFailure(failure)}`)
  }
}

/** Returns the start of the message, and of the page: a machine that keeps no files shows it only here. */
export function describeFailure({ message, page }: Failure): string {
  const shown = firstLines(message, MAX_LINES)
  return page ? `${shown}\n\n  The page at the end:\n${firstLines(page, MAX_PAGE_LINES)}` : shown
}

function firstLines(text: string, count: number): string {
  const lines = stripVTControlCharacters(text).split('\n')
  return lines
    .slice(0, count)
    .map((line) => `  ${line}`)
    .join('\n')
}

async function readReport(name: string): Promise<FileResult[]> {
  const report: VitestReport | PlaywrightReport = JSON.parse(await readFile(join(REPORTS, name), 'utf8'))
  const stage = name.replace('.json', '')
  if ('suites' in report) {
    const journeys = await readJourneys(report)
    return journeys.map((each) => ({ ...each, file: `${each.file} (${stage})` }))
  }
  return report.testResults.map(({ name: path, startTime, endTime, message, assertionResults }) => ({
    file: `${relative(projectFolder, path)} (${stage})`,
    seconds: (endTime - startTime) / 1000,
    failures: [
      // A file that could not be loaded has a message and no tests.
      ...(message && assertionResults.length === 0 ? [{ title: 'not loaded', message }] : []),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({ title: fullName, message: failureMessages.join('\n') })),
    ],
  }))
}

/** Returns the results of Playwright's report, file by file. */
export function readJourneys(report: PlaywrightReport): Promise<FileResult[]> {
  return Promise.all(report.suites.map((suite) => readSuite(suite)))
}

async function readSuite(suite: PlaywrightSuite): Promise<FileResult> {
  const specs = specsOf(suite)
  return {
    file: `e2e/${suite.file}`,
    seconds: specs.flatMap(resultsOf).reduce((sum, { duration }) => sum + duration, 0) / 1000,
    failures: await Promise.all(specs.filter(({ ok }) => !ok).map((spec) => failureOf(spec))),
  }
}

async function failureOf(spec: PlaywrightSpec): Promise<Failure> {
  const results = resultsOf(spec)
  const context = results
    .flatMap(({ attachments }) => attachments)
    .find(({ name }) => name === 'error-context')?.path
  return {
    title: spec.title,
    message: results.flatMap(({ errors }) => errors.map(({ message }) => message ?? '')).join('\n'),
    page: context && snapshotOf(await readFile(context, 'utf8').catch(() => '')),
  }
}

/** Returns the page's roles and names from Playwright's description of a failure. */
function snapshotOf(context: string): string | undefined {
  return /^```yaml\n(.*?)^```/ms.exec(context)?.[1]
}

function resultsOf({ tests }: PlaywrightSpec): Attempt[] {
  return tests.flatMap(({ results }) => results)
}

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsOf)]
}
