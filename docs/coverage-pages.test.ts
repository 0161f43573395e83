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

  it('has at least one test for every line of the specification', () => {
    const covered = new Set(tests.flatMap((test) => test.lineIds))
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
      { file: 'sum.test.ts', title, lineIds: ['S1.1', 'S1.2'] },
    ])
  })
})

it.each(COVERAGE_PAGES)('matches what `npm run coverage-pages` writes to $path', (page) => {
  expect(readFileSync(page.path, 'utf8')).toBe(renderPage(page, tests))
})
