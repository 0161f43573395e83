import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parseSync } from 'vite'

/** Prints how large the code is, and how much of it escapes types and boundaries. Tests, benchmarks and generated types do not count. */
const TESTS = /\.(test|e2e|bench)\.tsx?$|^(test|e2e|bench)\/|\/(test|testing|tests|bench)\//
const GENERATED = /database\.types\.ts$/

type Node = { type: string; start: number; end: number } & Record<string, unknown>

interface SourceFile {
  path: string
  lines: number
  functions: number[]
  casts: number
}

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
const paths = tracked.filter(
  (path) => /\.(tsx?|css)$/.test(path) && !TESTS.test(path) && !GENERATED.test(path),
)
const files = paths.map(readSource)

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const found: SourceFile = {
    path,
    lines: text.split('\n').length - 1,
    functions: [],
    casts: 0,
  }
  if (extname(path) === '.css') return found
  const visit = (node: Node) => {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) && node.body)
      found.functions.push(text.slice(node.start, node.end).split('\n').length)
    if (node.type === 'TSAsExpression' && !text.slice(node.start, node.end).endsWith('as const'))
      found.casts += 1
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  const { program } = parseSync(path, text)
  for (const statement of program.body) visit({ ...statement })
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The value below which the share of the values lies. */
function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const sizes = (values: number[]) =>
  [quantile(values, 0.5), quantile(values, 0.9), Math.max(...values)].join(' / ')
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

const { stdout } = spawnSync('oxlint', ['--format', 'json'], { encoding: 'utf8', maxBuffer: 1e9 })
const { diagnostics }: { diagnostics: { code: string }[] } = JSON.parse(stdout)

/** The linter's findings of one rule. */
const findings = (rule: string) => diagnostics.filter(({ code }) => code === rule).length

const scripts = files.filter(({ path }) => !path.endsWith('.css'))
const styles = files.filter(({ path }) => path.endsWith('.css'))
const partOf = (path: string) => /^(packages\/\w+|[\w-]+)\//.exec(path)?.[1] ?? 'root'
const parts = Map.groupBy(files, ({ path }) => partOf(path))

for (const [part, inPart] of [...parts].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`${part.padEnd(24)}${String(sum(inPart.map(({ lines }) => lines))).padStart(7)} lines`)
console.table({
  'lines of TypeScript and CSS': sum(files.map(({ lines }) => lines)),
  'of these CSS': sum(styles.map(({ lines }) => lines)),
  files: files.length,
  'lines of a TypeScript file (median, p90, most)': sizes(scripts.map(({ lines }) => lines)),
  'lines of a function (median, p90, most)': sizes(scripts.flatMap(({ functions }) => functions)),
  'casts, without `as const`': sum(scripts.map(({ casts }) => casts)),
  'asserted row types, and rows that nothing checks': findings('rows(checked)'),
  'imports in cycles': findings('import(no-cycle)'),
  'imports across boundaries': findings('boundaries(imports)'),
})
