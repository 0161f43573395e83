import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const CODE = [
  '{app,packages,bench,domain,e2e,emails,payments,scripts,server,test}/**/*.{ts,tsx,mjs,css,sql}',
  'supabase/{functions,schema,tests}/**/*.{ts,tsx,sql}',
]
const vocabulary = readFileSync('docs/vocabulary.md', 'utf8')
const retiredWords = new Set(
  Array.from(
    vocabulary.split('## Retired words')[1]?.matchAll(/^\| ([a-z]+) \|/gm) ?? [],
    ([, word = '']) => word,
  ),
)
const retiredNames = new Set(
  readFileSync('docs/retired-names.txt', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' → ')[0] || []),
)

const files = globSync(CODE, { exclude: ['**/migrations/**', '**/node_modules/**'] })
const namesByFile = files.map((file) => ({
  file,
  names: new Set(readFileSync(file, 'utf8').match(/[\p{L}_$][\p{L}\d_$]*/gu)),
}))

/** `waitForConcern` and `open_concerns` contain the word "concern". */
function wordsOf(name: string): string[] {
  const words = name.match(/\p{Lu}?\p{Ll}+/gu) ?? []
  return words.flatMap((word) => [word.toLowerCase(), word.toLowerCase().replace(/s$/, '')])
}

/** Error codes of the database keep their words, because clients read them. Prose in comments and texts has single words in lower case; names are camel case. */
function isCompoundName(name: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(name)
}

function uses(isRetired: (name: string) => boolean): string[] {
  return namesByFile.flatMap(({ file, names }) =>
    [...names].filter(isRetired).map((name) => `${file}: ${name}`),
  )
}

it('finds the lists of retired words and names', () => {
  expect(retiredWords.size).toBeGreaterThan(5)
  expect(retiredNames.size).toBeGreaterThan(100)
})

it('uses no retired name in code', () => {
  expect(uses((name) => retiredNames.has(name))).toEqual([])
})

it('uses no retired word in names of the code', () => {
  expect(
    uses((name) => isCompoundName(name) && wordsOf(name).some((word) => retiredWords.has(word))),
  ).toEqual([])
})
