import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const pages = globSync('docs/*.md').toSorted()
const all = [...pages, ...globSync('docs/decisions/*.md'), ...globSync('*.md')]
const tests = new Set(
  globSync(
    '{app,packages,docs,domain,e2e,emails,payments,scripts,server,supabase,test}/**/*.{test,e2e}.{ts,tsx}',
  ).map((path) => basename(path)),
)

it('has at most 15 documentation pages besides the decision records', () => {
  expect(pages.length).toBeLessThanOrEqual(15)
})

it.each([...pages, 'ARCHITECTURE.md', 'CONTRIBUTING.md'])(
  'names the readers of the page %s in the first line',
  (page) => {
    expect(readFileSync(page, 'utf8')).toMatch(/^# .+\n\nFor \w.+: /)
  },
)

it.each([
  ['README.md', 60],
  ['docs/performance.md', 50],
])('keeps the page %s within %i lines', (page, lines) => {
  expect(readFileSync(page, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(lines)
})

it.each(all)('links from %s only to files that exist', (page) => {
  const targets = Array.from(
    readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g),
    ([, to = '']) => to,
  )
  const missing = targets.filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(dirname(page), to)))
  expect(missing).toEqual([])
})

const isKnown = (test: string) => (test.includes('/') ? existsSync(test) : tests.has(test))

it.each(all)('names in %s only test files that exist', (page) => {
  const named = Array.from(
    readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`/g),
    ([, file = '']) => file,
  )
  expect(named.filter((file) => !isKnown(file))).toEqual([])
})

it('leads through one purchase in at most 60 TypeScript and 12 SQL files, which exist', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8')
  const tour = text.slice(text.indexOf('## One purchase'), text.indexOf('## What must always hold'))
  const named = (pattern: RegExp) => Array.from(tour.matchAll(pattern), ([, path = '']) => path)
  const code = named(/`([\w/.-]+\.tsx?)`/g)
  const sql = named(/`([\w/]+\.sql)`/g)

  expect(code.length).toBeGreaterThan(50)
  expect(code.length).toBeLessThanOrEqual(60)
  expect(sql.length).toBeLessThanOrEqual(12)
  expect(code.filter((path) => !existsSync(path))).toEqual([])
  expect(sql.filter((path) => !existsSync(join('supabase/schema', path)))).toEqual([])
})
