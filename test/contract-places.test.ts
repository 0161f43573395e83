import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const isInPlace = (file: string) => /^(test|packages\/backend)\/contracts\//.test(file)
const isNamed = (file: string) => /\/[a-z-]+\.contract\.test\.ts$/.test(file)

const tests = globSync('**/*.test.{ts,tsx}', { exclude: ['**/node_modules/**', 'build/**', 'data/**'] })
const contracts = tests.filter((file) => isInPlace(file) || isNamed(file))

it('has contract tests only in contracts/, all of them named <subject>.contract.test.ts', () => {
  const misplaced = contracts.filter((file) => !isInPlace(file) || !isNamed(file))

  expect(contracts.length).toBeGreaterThan(40)
  expect(misplaced).toEqual([])
})

it('calls the services with the official client in each contract test', () => {
  const withoutClient = contracts.filter(
    (file) => !/\b(createClient|open(Shop|PayingShop|Auth|Rest|Realtime))\(/.test(readFileSync(file, 'utf8')),
  )

  expect(withoutClient).toEqual([])
})
