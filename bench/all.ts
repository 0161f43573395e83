/** `npm run bench`: asks every question once and writes the answers to bench/results.md. */
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
import { printRows, type Row } from './row.ts'
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
const rows: Row[] = []
for (const [name, measure] of Object.entries(QUESTIONS)) {
  const measured = await measure().catch((error: unknown) => [unanswered(name, error)])
  printRows(measured)
  rows.push(...measured)
}
await writeFile(join(import.meta.dirname, 'results.md'), document(rows))
process.exitCode = rows.every(({ isReached }) => isReached) ? 0 : 1

/** One bench that breaks keeps none of the others from answering. */
function unanswered(name: string, error: unknown): Row {
  console.error(error)
  return { question: name, load: '', result: 'could not be measured', beside: '', isReached: false }
}

function document(all: Row[]): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
  const lines = all.map((row) =>
    ['', row.question, row.load, row.result, row.beside, row.isReached ? 'yes' : '**no**', '']
      .join(' | ')
      .trim(),
  )
  return `# Benchmark results

Written by \`npm run bench\`; docs/performance.md sums it up.

Last run: ${new Date().toISOString().slice(0, 10)}, ${machine}. The load average was ${load?.toFixed(1)} when it began; with more than 1 other work had a part of
the cores, and times are worse than they are alone. Ratios come from one run, alternating.

| Question | Load | Result | Beside | Reached |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`
}
