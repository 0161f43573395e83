import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { SECURITY } from './frame/navigation.ts'
import { ADMIN_PAGES } from './pages.ts'

it('lists every page module of the admin area as a page', () => {
  const listed = ADMIN_PAGES.flatMap(({ file, children = [] }) => [
    file,
    ...children.map((page) => page.file),
  ])

  expect(listed.toSorted(), 'List each page in app/admin/pages.ts; its `file` is the route module.').toEqual(
    globSync('**/{,*.}route.tsx', { cwd: import.meta.dirname }).toSorted(),
  )
})

it('gives each page of the command menu a letter of its own', () => {
  const letters = [...ADMIN_PAGES.flatMap(({ key }) => key ?? []), SECURITY.key]
  const repeated = letters.filter((letter, index) => letters.indexOf(letter) !== index)

  expect(repeated, 'Choose another `key` in app/admin/pages.ts.').toEqual([])
})

it('has a contract test or a journey for each list', () => {
  const tests = globSync('{e2e/*.e2e.ts,test/contracts/*.test.ts}').map((file) => readFileSync(file, 'utf8'))
  const lists = globSync('*/**/*-list.ts', { cwd: import.meta.dirname, exclude: ['list/**'] })
  const untested = lists.filter(
    (file) =>
      !tests.some(
        (text) => text.includes(`'#app/admin/${file}'`) || text.includes(`goto('/admin/${dirname(file)}`),
      ),
  )

  expect(lists.length).toBeGreaterThan(6)
  expect(untested, 'Test the query in test/contracts/admin-<subject>.contract.test.ts.').toEqual([])
})
