import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { PLANTED_FAULTS } from './catalogue.ts'

const project = resolve(import.meta.dirname, '../..')

it.each(PLANTED_FAULTS)(
  'can plant the fault against the rule: $rule',
  async ({ file, find, replace, tests }) => {
    const text = await readFile(join(project, file), 'utf8')

    expect(text.split(find).length - 1).toBe(1)
    expect(replace).not.toBe(find)
    expect(tests.filter((path) => !existsSync(join(project, path)))).toEqual([])
  },
)

it('names each rule once', () => {
  const rules = PLANTED_FAULTS.map(({ rule }) => rule)

  expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([])
})
