import { Client } from 'pg'
import { expect, it } from 'vitest'

import type { RestOptions } from './create-rest.ts'
import { openRest } from './testing/open-rest.ts'

interface Timeouts extends Partial<RestOptions> {
  /** Of the role in this database; in all databases it is 8 s. */
  ofRole?: string
  filter?: string
}

/** Returns the timeout of a customer's read, as PostgreSQL names it. */
async function timeoutWith({ ofRole, filter = 'match.^', ...options }: Timeouts) {
  const rest = await openRest({ patternTimeoutMs: 2000, ...options })
  const superuser = new Client({ connectionString: rest.superuserUrl })
  await superuser.connect()
  try {
    await superuser.query(`
      create view public.time_limit as select current_setting('statement_timeout') as value;
      grant select on public.time_limit to authenticated`)
    if (ofRole !== undefined) {
      await superuser.query(
        `do $$ begin execute format('alter role authenticated in database %I set statement_timeout = ${ofRole}', current_database()); end $$`,
      )
    }
    return await rest.json(`/time_limit?value=${filter}`, { caller: { role: 'authenticated' } })
  } finally {
    await superuser.end()
    await rest.close()
  }
}

it('shortens the timeout of a read with patterns, also an unlimited one', async () => {
  expect(await timeoutWith({})).toEqual([{ value: '2s' }])
  expect(await timeoutWith({ statementTimeoutMs: 120_000 })).toEqual([{ value: '2s' }])
  expect(await timeoutWith({ ofRole: '0' })).toEqual([{ value: '2s' }])
})

it('keeps a shorter timeout of the role or the settings for a read with patterns', async () => {
  expect(await timeoutWith({ ofRole: '1000' })).toEqual([{ value: '1s' }])
  expect(await timeoutWith({ statementTimeoutMs: 300 })).toEqual([{ value: '300ms' }])
})

it('prefers the timeout of the role in this database to the one in all databases', async () => {
  expect(await timeoutWith({ filter: 'neq.x' })).toEqual([{ value: '8s' }])
  expect(await timeoutWith({ filter: 'neq.x', ofRole: '5000' })).toEqual([{ value: '5s' }])
})
