import { gateStages, type Stage, stagesFor } from './gate/stages.ts'
import { stopPrograms } from './gate/programs.ts'
import { clearReports, printReports } from './test-reports.ts'

/**
 * The gate, in order: `check.ts [--long] [path …]`. `--long` uses large counts for property tests and kill loops, runs journeys tagged
 * `@long`, and all journeys in Firefox and WebKit, mutates the pure modules, plants up to a quarter of the faults, and
 * keeps a shop busy for an hour; with paths only the tests below them run. A failing stage does not keep the later ones from running.
 */
const isLong = process.argv.includes('--long')
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
if (isLong) process.env.TEST_RUN = 'long'
await clearReports()

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isEnding = true
    // A terminal sends SIGINT to the programs of the stage as well.
    if (signal !== 'SIGINT') stopPrograms(signal)
  })
}

const stages = paths.length > 0 ? stagesFor(paths) : gateStages({ isLong })
const results: { name: string; passed: boolean; seconds: string }[] = []
const background: Promise<void>[] = []
for (const stage of stages) {
  if (isEnding) break
  const done = runStage(stage)
  if (stage.isInBackground) background.push(done)
  else await done
}
await Promise.all(background)

const failed = results.filter(({ passed }) => !passed)
await printReports()
console.log()
for (const { name, passed, seconds } of results) {
  console.log(`${passed ? '✓' : '✗'} ${name.padEnd(14)}${seconds.padStart(7)} s`)
}
console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 || isEnding ? 1 : 0

async function runStage({ name, run }: Stage): Promise<void> {
  console.log(`\n▸ ${name}`)
  const start = performance.now()
  const { passed, output } = await run()
  if (output) console.log(output)
  results.push({ name, passed, seconds: ((performance.now() - start) / 1000).toFixed(1) })
}
