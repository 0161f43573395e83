import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const BACKEND = new URL('../../', import.meta.url)
const FOLDERS = [
  'rest/plan/',
  'rest/operations/',
  'realtime/changes/',
  'database/schema/realtime_feed/',
  'database/schema/rest/',
]
/** System columns, which exist in every table. */
const SYSTEM = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])
/** Numbered aliases. */
const NUMBERED = ['t', 'j', 'x'].flatMap((letter) => [0, 1, 2, 3].map((number) => letter + number))
/** Usual aliases in handwritten SQL. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

/**
 * Returns all lower-case words of the sources that generate SQL, TypeScript included, so that all names in our statements are among them.
 */
export async function sqlWords(): Promise<string[]> {
  const texts = await Promise.all(FOLDERS.flatMap(async (folder) => textsIn(folder)))
  const words = texts.flat().flatMap((text) => text.match(/\b[a-z_][a-z0-9_]*\b/g) ?? [])
  return [...new Set([...words, ...NUMBERED, ...LETTERS])].filter((word) => !SYSTEM.has(word)).toSorted()
}

async function textsIn(folder: string): Promise<string[]> {
  const names = await readdir(new URL(folder, BACKEND))
  const sources = names.filter((name) => /\.(sql|ts)$/.test(name) && !name.includes('.test.'))
  const texts = await Promise.all(
    sources.map((name) => readFile(fileURLToPath(new URL(folder + name, BACKEND)), 'utf8')),
  )
  return texts.map(withoutComments)
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*(\/\/|--|import ).*$/gm, '')
}
