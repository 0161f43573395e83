import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { projectFolder } from './prepare.mjs'

/** Not in `test-results`: Playwright empties that folder before its run. */
const REPORTS = join(projectFolder, 'node_modules', '.cache', 'test-durations')
const MAX_SHOWN = 10

interface VitestReport {
  testResults: { name: string; startTime: number; endTime: number }[]
}
interface PlaywrightReport {
  suites: PlaywrightSuite[]
}
interface PlaywrightSuite {
  file: string
  suites?: PlaywrightSuite[]
  specs: { tests: { results: { duration: number }[] }[] }[]
}

/** Path of Playwright's report. */
export const PLAYWRIGHT_REPORT = join(REPORTS, 'playwright.json')

/** Returns arguments that make vitest write the duration of each file. */
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

/** Prints the slowest test files of all stages with a report. */
export async function printSlowestFiles(): Promise<void> {
  const names = await readdir(REPORTS).catch(() => [])
  const files = (await Promise.all(names.map((name) => secondsByFile(name)))).flat()
  if (files.length === 0) return
  console.log('\nSlowest test files')
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, MAX_SHOWN)) {
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`)
  }
}

async function secondsByFile(name: string): Promise<{ file: string; seconds: number }[]> {
  const report: VitestReport | PlaywrightReport = JSON.parse(await readFile(join(REPORTS, name), 'utf8'))
  if ('testResults' in report) {
    return report.testResults.map(({ name: path, startTime, endTime }) => ({
      file: `${relative(projectFolder, path)} (${name.replace('.json', '')})`,
      seconds: (endTime - startTime) / 1000,
    }))
  }
  return report.suites.map((suite) => ({ file: `e2e/${suite.file}`, seconds: secondsOf(suite) }))
}

function secondsOf({ specs, suites = [] }: PlaywrightSuite): number {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results))
  const nested = suites.reduce((sum, suite) => sum + secondsOf(suite), 0)
  return nested + own.reduce((sum, { duration }) => sum + duration, 0) / 1000
}
