/**
 * `npm run coverage-pages`: writes the pages that list the tests for each line of the specification. The lines are in
 * `docs/specification-lines/`; a test names its lines in a comment directly above it: `// covers S2.14 S2.15`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'

export interface SpecificationLine {
  id: string
  text: string
}

export interface CoveringTest {
  file: string
  /** Empty when the comment is not directly above a test. */
  title: string
  lineIds: string[]
  /** A journey, or a step of one, that only the long run goes. */
  isLong: boolean
}

interface Page {
  path: string
  title: string
  reader: string
  sources: string[]
}

export const COVERAGE_PAGES: Page[] = [
  {
    path: 'docs/storefront-coverage.md',
    title: 'Storefront coverage',
    reader:
      'For developers: which tests cover each line of the storefront’s specification (numbered sections) and what shoppers expect beyond it.',
    sources: ['storefront', 'storefront-expectations'],
  },
  {
    path: 'docs/admin-coverage.md',
    title: 'Admin coverage',
    reader:
      'For developers: which tests cover each line of the admin area’s specification (numbered sections) and what staff expect beyond it.',
    sources: ['admin', 'admin-expectations'],
  },
]

const TEST_FILES = [
  '{app,packages,docs,domain,emails,payments,scripts,server,supabase,test}/**/*.test.{ts,tsx}',
  'e2e/**/*.e2e.ts',
]
const LINE = /^(?<id>[A-Z]\d+(?:\.\d+)?) {2}(?<text>.+)$/
const COVERS = /(?:^[ \t]*\/\/ covers .*\n)+/gm
const TITLE = /(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>).)+)\k<quote>/.source
const CALL = new RegExp(String.raw`^\s*(?:await )?(?:test(?:\.step)?|it|describe)(?:\.\w+)?\(\s*${TITLE}`)
/** The title of `it.each(…)('…')` follows the first pair of parentheses. */
const TABLE_CALL = new RegExp(
  String.raw`^\s*(?:await )?(?:test|it|describe)\.\w+(?:<[^>]*>)?\([\s\S]*?\)\(\s*${TITLE}`,
)
const JOURNEY = /^[ \t]*test\(/gm

export function readLines(sources: string[]): SpecificationLine[] {
  return sources.flatMap((source) =>
    readSource(source).flatMap((line) => {
      const { id = '', text = '' } = LINE.exec(line)?.groups ?? {}
      return id ? [{ id, text }] : []
    }),
  )
}

export function readCoveringTests(): CoveringTest[] {
  return globSync(TEST_FILES)
    .toSorted()
    .flatMap((file) => coveringTestsIn(file.replaceAll('\\', '/'), readFileSync(file, 'utf8')))
}

export function coveringTestsIn(file: string, source: string): CoveringTest[] {
  return Array.from(source.matchAll(COVERS), (comment) => {
    const position = comment.index + comment[0].length
    const code = source.slice(position)
    const title = (CALL.exec(code) ?? TABLE_CALL.exec(code))?.groups?.title ?? ''
    return {
      file,
      title: title.replaceAll(/\\(['"`])/g, '$1'),
      lineIds: comment[0].replaceAll('// covers', '').trim().split(/\s+/),
      isLong: isInLongJourney(source, position),
    }
  })
}

/** Tells whether a position is in front of or in a journey with the tag `@long`. */
function isInLongJourney(source: string, position: number): boolean {
  const starts = Array.from(source.matchAll(JOURNEY), ({ index }) => index)
  const start = starts.findLast((index) => index <= position) ?? 0
  return source.slice(start, source.indexOf('=>', start)).includes("tag: '@long'")
}

export function renderPage({ title, reader, sources }: Page, tests: CoveringTest[]): string {
  const rows = sources.flatMap((source) => readSource(source)).map((line) => renderLine(line, tests))
  return [
    `# ${title}\n`,
    `${reader}\n`,
    'Written by `npm run coverage-pages`; do not edit. Each test names its lines in a comment, such as `// covers S2.14`.',
    ...rows,
    '',
  ].join('\n')
}

function renderLine(line: string, tests: CoveringTest[]): string {
  if (line.startsWith('## ')) return `\n${line}\n\n| Line | | Tests |\n|---|---|---|`
  const { id = '', text = '' } = LINE.exec(line)?.groups ?? {}
  const covering = tests
    .filter(({ lineIds }) => lineIds.includes(id))
    .map((test) => `\`${test.file}\`: ${test.title}`)
  return `| ${[id, text, covering.join('<br>')].map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
}

/** Headings and lines; an indented remark belongs to the line above it. */
function readSource(name: string): string[] {
  const source = readFileSync(`docs/specification-lines/${name}.txt`, 'utf8')
  return source
    .replaceAll(/\n {4,}/g, '<br>')
    .split('\n')
    .filter((line) => line !== '')
}

if (import.meta.main) {
  const tests = readCoveringTests()
  for (const page of COVERAGE_PAGES) writeFileSync(page.path, renderPage(page, tests))
}
