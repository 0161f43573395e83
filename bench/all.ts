/** `npm run bench`: runs every benchmark once and writes the results to bench/results.md. */
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/prepare.mjs'
import { measureAdmin } from './admin.bench.ts'
import { measureApi } from './api.bench.ts'
import { measureBrowser } from './browser.bench.ts'
import { measureBudgets } from './budgets.bench.ts'
import { measureGrowth } from './growth.bench.ts'
import { measureLoad } from './load.bench.ts'
import { measurePages } from './pages.bench.ts'
import { printResults, type BenchResult } from './result.ts'
import { measureStart } from './start.bench.ts'

const QUESTIONS = {
  measurePages,
  measureApi,
  measureLoad,
  measureAdmin,
  measureStart,
  measureGrowth,
  measureBrowser,
  measureBudgets,
}

await build()
const [load] = loadavg()
const rows: BenchResult[] = []
for (const [name, measure] of Object.entries(QUESTIONS)) {
  const measured = await measure().catch((error: unknown) => [failedResult(name, error)])
  printResults(measured)
  rows.push(...measured)
}
await writeFile(join(import.meta.dirname, 'results.md'), document(rows))
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1

/** Reports an error as a failed result, so that the other benchmarks still run. */
function failedResult(name: string, error: unknown): BenchResult {
  console.error(error)
  return { question: name, load: '', result: 'could not be measured', comparison: '', isMet: false }
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
