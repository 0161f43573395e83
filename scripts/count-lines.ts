import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Counts the non-blank lines of source and tests by service. */
const backend = resolve(import.meta.dirname, '../packages/backend')

interface LineCount {
  source: number
  tests: number
}

async function countIn(folder: string): Promise<LineCount> {
  const names = await readdir(folder, { recursive: true })
  const counted: LineCount = { source: 0, tests: 0 }
  for (const name of names.filter((one) => /\.(ts|sql)$/.test(one))) {
    const text = await readFile(join(folder, name), 'utf8')
    const lines = text.split('\n').filter((line) => line.trim() !== '').length
    counted[/\.test\.ts$|(^|\/)testing\//.test(name) ? 'tests' : 'source'] += lines
  }
  return counted
}

const entries = await readdir(backend, { withFileTypes: true })
const services = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
const rows = await Promise.all(
  services.map(async (name) => ({ name, ...(await countIn(join(backend, name))) })),
)
const total = rows.reduce(
  (sum, { source, tests }) => ({ source: sum.source + source, tests: sum.tests + tests }),
  { source: 0, tests: 0 },
)

console.log(`${'service'.padEnd(12)}${'source'.padStart(8)}${'tests'.padStart(8)}`)
for (const { name, source, tests } of [...rows, { name: 'all', ...total }]) {
  console.log(`${name.padEnd(12)}${String(source).padStart(8)}${String(tests).padStart(8)}`)
}
