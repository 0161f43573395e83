import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const files = globSync(
  ['*.ts', '{app,bench,docs,domain,e2e,emails,payments,scripts,server,supabase,test}/**/*.{ts,tsx,mjs}'],
  { exclude: ['**/node_modules/**', '**/lint.test.ts'] },
)

it('imports only the exports of @saltfreak/backend, never its files', () => {
  const reachingIn = files.filter((file) =>
    /(from |import\()'[^']*(#backend|packages\/backend)\//.test(readFileSync(file, 'utf8')),
  )

  expect(files.length).toBeGreaterThan(1000)
  expect(reachingIn).toEqual([])
})
