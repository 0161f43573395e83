import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { projectFolder } from './prepare.mjs'

const LENGTH = 5

/** What each short name stands for. */
const known = new Map<string, string>()

/**
 * Returns a built page's name for a class of a CSS module. Vite's own names consist of the class, a hash of its file and its line, and make
 * the home page 7 % larger. Throws when two classes would share a name: rename one of them.
 */
export function shortClassName(name: string, file: string): string {
  const [path = ''] = file.split('?', 1)
  const source = `${relative(projectFolder, path)} ${name}`
  const short = `_${createHash('sha256').update(source).digest('base64url').slice(0, LENGTH)}`
  const other = known.get(short) ?? source
  if (other !== source) throw new Error(`the classes ${other} and ${source} have the same short name`)
  known.set(short, source)
  return short
}
