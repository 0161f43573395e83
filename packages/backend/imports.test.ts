import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const folder = import.meta.dirname

/** Matches imports, including type imports, and files loaded by `new URL`. */
const IMPORTED = /^(?:(?:import|export)\b.*|\} )from '([^']+)'|\bimport\('([^']+)'\)|\bnew URL\('(\.[^']*)'/gm

const files = globSync('**/*.ts', { cwd: folder, exclude: ['**/node_modules/**'] })

/** The imports of a file: packages by name, files as `./path` in this folder. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(folder, file), 'utf8')
  return Array.from(source.matchAll(IMPORTED), ([, imported, loaded, read = '']) => {
    const name = imported ?? loaded ?? read
    if (name.startsWith('#backend/')) return name.replace('#backend', '.')
    return name.startsWith('.') ? `./${relative(folder, resolve(folder, dirname(file), name))}` : name
  })
}

const isForTests = (file: string) => /\.test\.|(^|\/)(testing|attacks|bench)\/|vitest/.test(file)
const isOwn = (name: string) => name.startsWith('./') && !name.startsWith('./..')

it('imports only its own files and the packages that its package.json lists', () => {
  const {
    name: itself,
    dependencies,
    devDependencies,
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const isListed = (file: string, name: string) => {
    const [packageName = ''] = /^(@[^/]+\/)?[^/]+/.exec(name) ?? []
    // The example imports the package as an application does.
    if (packageName === itself) return file.startsWith('example/')
    return packageName in dependencies || (isForTests(file) && packageName in devDependencies)
  }

  const foreign = files.flatMap((file) =>
    importsOf(file)
      .filter((name) => !name.startsWith('node:') && !isOwn(name) && !isListed(file, name))
      .map((name) => `${file}: ${name}`),
  )

  expect(files.length).toBeGreaterThan(250)
  expect(foreign).toEqual([])
})
