import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DRIVER_LIMITS } from '../e2e/engines/limits.ts'

it('keeps only existing journeys in the list of what other engines cannot go', () => {
  const journeys = globSync('e2e/*.e2e.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('')
    .replaceAll(/\btest\(\s+/g, 'test(')
  const listed = Object.values(DRIVER_LIMITS).flatMap((limits) => limits.flatMap((limit) => limit.journeys))

  expect(listed.filter((title) => !journeys.includes(`test('${title}'`))).toEqual([])
  expect(listed.length).toBeGreaterThan(0)
})
