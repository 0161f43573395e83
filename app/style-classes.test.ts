import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g

/** The classes that components use of each style sheet; undefined where a component computes their names. */
const usedClasses = new Map<string, Set<string> | undefined>()

for (const file of globSync('app/**/*.tsx')) {
  const code = readFileSync(file, 'utf8')
  for (const [, name = '', path = ''] of code.matchAll(IMPORT)) {
    const sheet = path.startsWith('#') ? path.slice(1) : join(dirname(file), path)
    const uses = Array.from(
      code.matchAll(new RegExp(`(?<![-/\\w])${name}\\.(\\w+)`, 'g')),
      ([, used = '']) => used,
    )
    const isComputed = code.includes(`${name}[`)
    const known = usedClasses.has(sheet) ? usedClasses.get(sheet) : new Set<string>()
    usedClasses.set(sheet, isComputed || !known ? undefined : new Set([...known, ...uses]))
  }
}

const sheets = globSync('app/**/*.module.css')

function classesOf(sheet: string): Set<string> {
  const selectors = readFileSync(sheet, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
  return new Set(Array.from(selectors.matchAll(/\.([a-z]\w*)/gi), ([, name = '']) => name))
}

it('defines every class that a component uses in its style sheet', () => {
  const missing = [...usedClasses].flatMap(([sheet, used]) => {
    const defined = existsSync(sheet) ? classesOf(sheet) : new Set<string>()
    return [...(used ?? [])].filter((name) => !defined.has(name)).map((name) => `${sheet}: ${name}`)
  })

  expect(missing).toEqual([])
})

it('uses every class that a style sheet defines', () => {
  const unused = sheets.flatMap((sheet) => {
    const used = usedClasses.get(sheet)
    if (usedClasses.has(sheet) && !used) return []
    return [...classesOf(sheet)].filter((name) => !used?.has(name)).map((name) => `${sheet}: ${name}`)
  })

  expect(unused).toEqual([])
})
