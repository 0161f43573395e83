import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const backend = import.meta.dirname
const project = resolve(backend, '../..')

/** Matches imports, including type imports, and files loaded by `new URL`. */
const IMPORTED = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"\s]+)['"]|\bnew URL\(\s*['"](\.[^'"\s]*)['"]/g

async function importsOf(file: string): Promise<string[]> {
  const source = await readFile(file, 'utf8')
  return [...source.matchAll(IMPORTED)].map(([, imported, read = '']) => {
    const name = imported ?? read
    if (name.startsWith('#backend/')) return join('packages/backend', name.slice('#backend/'.length))
    return name.startsWith('.') ? relative(project, resolve(dirname(file), name)) : name
  })
}

/** Allows `package.json`, because a package may read its own manifest. */
const isOurs = (name: string) =>
  ['packages/backend', 'package.json'].includes(name) || name.startsWith('packages/backend/')

it('lets the backend import only packages and files of the backend', async () => {
  const files = (await readdir(backend, { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing/'))
    .map((name) => join(backend, name))
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(project, 'package.json'), 'utf8'),
  )
  const packages = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
  const isPackage = (name: string) =>
    name.startsWith('node:') || packages.has(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')

  const found = await Promise.all(
    files.map(async (file) =>
      (await importsOf(file)).map((name) => ({ file: relative(project, file), imports: name })),
    ),
  )

  expect(files.length).toBeGreaterThan(100)
  expect(found.flat().filter(({ imports }) => !isOurs(imports) && !isPackage(imports))).toEqual([])
})
