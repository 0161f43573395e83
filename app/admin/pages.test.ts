import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ADMIN_PAGES } from './pages.ts'

it('lists every page module of the admin area as a page', () => {
  const listed = ADMIN_PAGES.flatMap(({ file, children = [] }) => [
    file,
    ...children.map((page) => page.file),
  ])

  expect(listed.toSorted()).toEqual(globSync('**/{,*.}route.tsx', { cwd: import.meta.dirname }).toSorted())
})

it('gives each page of the command menu a letter of its own', () => {
  const letters = ADMIN_PAGES.flatMap(({ key }) => key ?? [])

  expect(letters).toEqual([...new Set(letters)])
})
