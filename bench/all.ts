/**
 * `npm run bench`: runs every benchmark once and writes the results to bench/results.md. `npm run bench -- <name …>` runs some and
 * prints their results.
 */
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/prepare.mjs'
import { measureAdmin } from './admin.bench.ts'
import { measureApi } from './api.bench.ts'
import { measureBrowser } from './browser.bench.ts'
import { measureDrop } from './drop.bench.ts'
import { measureGrowth } from './growth.bench.ts'
import { measureLighthouse } from './lighthouse.bench.ts'
import { measureLoad } from './load.bench.ts'
import { measurePages } from './pages.bench.ts'
import { measureProcesses } from './processes.bench.ts'
import type { BenchResult } from './result.ts'
import { measureSetups } from './setups.bench.ts'
import { measureStart } from './start.bench.ts'

const QUESTIONS = new Map([
  ['pages', measurePages],
  ['api', measureApi],
  ['load', measureLoad],
  ['drop', measureDrop],
  ['processes', measureProcesses],
  ['setups', () => measureSetups()],
  ['admin', measureAdmin],
  ['start', measureStart],
  ['growth', measureGrowth],
  ['browser', measureBrowser],
  ['lighthouse', measureLighthouse],
])

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !QUESTIONS.has(name))
if (unknown.length > 0) {
  console.log(`Usage: npm run bench -- [${[...QUESTIONS.keys()].join('] [')}]`)
  process.exit(unknown.includes('--help') ? 0 : 1)
}

await build()
const [load] = loadavg()
const rows: BenchResult[] = []
for (const [name, measure] of QUESTIONS) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const measured = await measure().catch((error: unknown) => [failedResult(name, error)])
  print(measured)
  rows.push(...measured)
}
if (chosen.length === 0) await writeFile(join(import.meta.dirname, 'results.md'), document(rows))
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1

/** Reports an error as a failed result, so that the other benchmarks still run. */
function failedResult(name: string, error: unknown): BenchResult {
  console.error(error)
  return { question: name, load: '', result: 'could not be measured', comparison: '', isMet: false }
}

function print(measured: BenchResult[]): void {
  for (const { question, load: under, result, comparison, isMet } of measured) {
    console.log(`${isMet ? '✓' : '✗'} ${question.padEnd(44)} ${under.padEnd(34)} ${result}   ${comparison}`)
  }
}

function document(all: BenchResult[]): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
  const lines = all.map((row) =>
    ['', row.question, row.load, row.result, row.comparison, row.isMet ? 'yes' : '**no**', '']
      .join(' | ')
      .trim(),
  )
  return `# Benchmark results

Written by \`npm run bench\`; docs/performance.md sums it up.

Last run: ${new Date().toISOString().slice(0, 10)}, ${machine}. The load average was ${load?.toFixed(1)} at the start; above 1, other load has
made the times worse. Ratios come from alternating runs.

| Question | Load | Result | Comparison or budget | Met |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`
}
