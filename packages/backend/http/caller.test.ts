import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'

import { asCaller, visitor, type Caller } from './caller.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await bareDatabase()
  await test.database.owner.query(`create table public.marks (by text default current_user);
    grant usage on schema public to anon, authenticated; grant select, insert on public.marks to anon, authenticated`)
})
afterAll(() => test.close())

const person: Caller = { role: 'authenticated', claims: { sub: 'me' }, userId: 'me', token: 'x.y.z' }
const WHO = `select current_user as role, current_setting('request.jwt.claims', true) as claims, current_setting('a.b', true) as extra`

describe('a transaction as the caller', () => {
  it('sets the caller’s role, claims and settings for the transaction only', async () => {
    const { database } = test
    const inside = await asCaller(database, person, (client) => client.query(WHO), {
      settings: { 'a.b': 'c' },
    })
    expect(inside.rows).toEqual([
      { role: 'authenticated', claims: '{"sub":"me","role":"authenticated"}', extra: 'c' },
    ])

    const after = await database.api.query(WHO)
    expect(after.rows[0]).toMatchObject({ role: 'authenticator' })
    expect(after.rows[0].claims || null).toBeNull()
  })

  it('ignores a database role in the caller’s claims', async () => {
    const forged = { ...person, claims: { sub: 'me', role: 'service_role' } }
    const { rows } = await asCaller(test.database, forged, (client) => client.query(WHO))

    expect(rows[0]).toMatchObject({ role: 'authenticated', claims: '{"sub":"me","role":"authenticated"}' })
  })

  it('commits a caller’s transaction, and rolls back when the work throws', async () => {
    const { database } = test
    await asCaller(database, visitor, (client) => client.query('insert into public.marks default values'))
    const failing = asCaller(database, visitor, async (client) => {
      await client.query('insert into public.marks default values')
      throw new Error('on second thoughts')
    })
    await expect(failing).rejects.toThrow('on second thoughts')

    expect((await database.owner.query('select by from public.marks')).rows).toEqual([{ by: 'anon' }])
  })

  it('refuses writes in a read-only transaction', async () => {
    const writing = asCaller(
      test.database,
      visitor,
      (client) => client.query('insert into public.marks default values'),
      { isReadOnly: true },
    )
    await expect(writing).rejects.toMatchObject({ code: '25006' })
  })
})
