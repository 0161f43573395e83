/** `npm run bench`: asks every question once and writes the answers to docs/performance.md. */
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/prepare.mjs'
import { measureBudgets } from './budgets.bench.ts'
import { measurePages } from './pages.bench.ts'
import { printRows, type Row } from './row.ts'
import { measureStart } from './start.bench.ts'

await build()
const [load] = loadavg()
const rows: Row[] = []
for (const measure of [measurePages, measureStart, measureBudgets]) {
  const measured = await measure()
  printRows(measured)
  rows.push(...measured)
}
await writeFile(join(import.meta.dirname, '../docs/performance.md'), document(rows))
process.exitCode = rows.every(({ isReached }) => isReached) ? 0 : 1

function document(all: Row[]): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
  const lines = all.map((row) =>
    ['', row.question, row.load, row.result, row.beside, row.isReached ? 'yes' : '**no**', '']
      .join(' | ')
      .trim(),
  )
  return `# Performance

Written by \`npm run bench\`, which runs every bench of \`bench/\` and fails when a budget is broken. One question alone: \`node bench/pages.bench.ts\`,
\`bench/start.bench.ts\`, \`bench/budgets.bench.ts\`, \`bench/rest.bench.ts\`. The shop has the first core, the load the second. Counts (bytes, scripts, requests,
layout shift) are held by the gate as well (\`e2e/budgets.e2e.ts\`); times are not, because a gate must not depend on who else uses the machine.

Last run: ${new Date().toISOString().slice(0, 10)}, ${machine}. The load average was ${load?.toFixed(1)} when it began; with more than 1 other work had a part of
the cores, and times are worse than they are alone. Ratios come from one run, turn and turn about.

| Question | Load | Result | Beside | Reached |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`
}
