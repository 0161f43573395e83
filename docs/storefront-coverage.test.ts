import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const project = new URL('../', import.meta.url)
const document = ['storefront-coverage', 'admin-specification']
  .map((name) => readFileSync(new URL(`docs/${name}.md`, project), 'utf8'))
  .join('\n')
const rows = document.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Line'))

const TEST = /`([^`]+)` › “([^”]+)”/g
const experience = readFileSync(new URL('docs/experience-coverage.md', project), 'utf8')
const named = Array.from(`${document}${experience}`.matchAll(TEST), ([, file = '', title = '']) => ({
  file,
  title,
}))

describe('every line', () => {
  it.each(rows)('%s names a test', (row) => {
    expect(row).toMatch(new RegExp(TEST.source))
  })
})

describe('every test that is named', () => {
  it.each(named)('$file › $title is there', ({ file, title }) => {
    const path = new URL(file, project)
    expect(existsSync(path)).toBe(true)
    expect(titlesIn(readFileSync(path, 'utf8'))).toContain(title)
  })
})

/** What follows `test(`, `test.step(`, `it(` or the closing parenthesis of `.each(…)` in quotes. */
function titlesIn(source: string): string[] {
  const titles = source.matchAll(/(?:\b(?:test(?:\.step)?|it)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g)
  return Array.from(titles, ([, , title = '']) => title.replaceAll(/\\(['"])/g, '$1'))
}
