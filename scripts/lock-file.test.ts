import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

interface LockFile {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>
}

/** When a registry lacks one platform's package, npm omits it from the lock file, and `npm ci` fails on every platform. */
it('lists the optional package of every platform in the lock file', async () => {
  const path = resolve(import.meta.dirname, '../package-lock.json')
  const { packages }: LockFile = JSON.parse(await readFile(path, 'utf8'))

  const missing = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${parent}/node_modules/${name}`],
    ),
  )

  expect(missing).toEqual([])
})
