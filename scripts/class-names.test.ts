import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shortClassName } from './class-names.ts'
import { projectFolder } from './prepare.mjs'

const button = join(projectFolder, 'app/ui/button.module.css')
const badge = join(projectFolder, 'app/ui/badge.module.css')

it('equal classes of two files get different names, and each class always the same', () => {
  const names = [
    shortClassName('small', button),
    shortClassName('small', badge),
    shortClassName('large', button),
    shortClassName('small', `${button}?direct`),
  ]

  expect(names[3]).toBe(names[0])
  expect(new Set(names).size).toBe(3)
  expect(names).toEqual(names.map(() => expect.stringMatching(/^_[\w-]{5}$/)))
})

it('two classes that would share a name end the build', () => {
  const classes = Array.from({ length: 100_000 }, (_, index) => `class-${index}`)

  expect(() => classes.map((name) => shortClassName(name, button))).toThrow('have the same short name')
})
