import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  COVERAGE_PAGES,
  coveringTestsIn,
  readCoveringTests,
  readLines,
  renderPage,
} from '../scripts/coverage-pages.ts'

const tests = readCoveringTests()
const lineIds = COVERAGE_PAGES.flatMap(({ sources }) => readLines(sources)).map(({ id }) => id)

describe('specification lines', () => {
  it('gives every line of the specification a different id', () => {
    expect(lineIds.filter((id, index) => lineIds.indexOf(id) !== index)).toEqual([])
  })

  it('has at least one test in the gate for every line of the specification', () => {
    const covered = new Set(tests.flatMap((test) => (test.isLong ? [] : test.lineIds)))
    expect(lineIds.filter((id) => !covered.has(id))).toEqual([])
  })
})

describe('`// covers` comments', () => {
  it('names in `// covers` comments only lines of docs/specification-lines', () => {
    const unknown = tests.filter((test) => test.lineIds.some((id) => !lineIds.includes(id)))
    expect(unknown).toEqual([])
  })

  it('places every `// covers` comment directly above a test', () => {
    expect(tests.filter(({ title }) => title === '')).toEqual([])
  })

  it.each([
    [`it('adds tax', () => {`, 'adds tax'],
    [`await test.step('pays the brothers\\' order', async`, `pays the brothers' order`],
    [`it.each([\n  ['a', 1],\n])('counts %s', `, 'counts %s'],
    [`const sum = add('a')\nit('adds tax'`, ''],
  ])('reads the test title below a `// covers` comment from %j', (code, title) => {
    expect(coveringTestsIn('sum.test.ts', `  // covers S1.1\n  // covers S1.2\n  ${code}`)).toEqual([
      { file: 'sum.test.ts', title, lineIds: ['S1.1', 'S1.2'], isLong: false },
    ])
  })

  it('tells journeys of the long run and their steps from those of the gate', () => {
    const source = `
// covers S1
test('buys', async () => {
  // covers S2
  await test.step('pays', async () => {})
})
// covers S3
test('buys in the rain', { tag: '@long' }, async () => {
  // covers S4
  await test.step('pays in the rain', async () => {})
})
`
    const long = coveringTestsIn('buy.e2e.ts', source).filter(({ isLong }) => isLong)
    expect(long.map(({ title }) => title)).toEqual(['buys in the rain', 'pays in the rain'])
  })
})

it.each(COVERAGE_PAGES)('matches what `npm run coverage-pages` writes to $path', (page) => {
  expect(readFileSync(page.path, 'utf8')).toBe(renderPage(page, tests))
})
