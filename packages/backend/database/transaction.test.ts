import { afterAll, beforeAll, expect, it } from 'vitest'

import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'

import { runInPool } from './transaction.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await bareDatabase()
})
afterAll(() => test.close())

it('does not use a connection again that PostgreSQL has ended', async () => {
  const { owner } = test.database
  const ending = runInPool(owner, [{ text: 'select pg_terminate_backend(pg_backend_pid())', values: [] }])
  const next = ending.catch(() => owner.query('select 1 as answer'))

  await expect(ending).rejects.toMatchObject({ code: '57P01' })
  expect(await next).toMatchObject({ rows: [{ answer: 1 }] })
})
