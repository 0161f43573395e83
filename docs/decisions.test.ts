import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'

const records = globSync('docs/decisions/*.md').toSorted()
const SOURCES = [
  '{app,packages,bench,domain,e2e,emails,payments,scripts,server,supabase,test}/**/*.{ts,tsx,sql}',
  'docs/*.md',
  '*.md',
]

it('numbers the decision records without gaps', () => {
  const numbers = records.map((path) => basename(path).slice(0, 4))
  expect(numbers).toEqual(records.map((_, index) => String(index + 1).padStart(4, '0')))
})

it.each(records)('keeps the decision %s to half a page under the file’s number', (path) => {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines[0]).toMatch(new RegExp(`^# ${basename(path).slice(0, 4)} · `))
  expect(lines.length).toBeLessThanOrEqual(27)
  expect(lines.filter((line) => line.length > 140)).toEqual([])
})

it('refers only to decisions that exist', () => {
  const numbers = new Set(records.map((path) => basename(path).slice(0, 4)))
  const unknown = globSync(SOURCES).filter((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(/\bdecision (\d{4})\b/gi)).some(
      ([, number = '']) => !numbers.has(number),
    ),
  )
  expect(unknown).toEqual([])
})
