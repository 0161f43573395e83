import {
  databaseAt,
  isPoolerInstalled,
  onServer,
  requireUsable,
  startPooler,
} from '@saltfreak/backend/testing'
import { expect, inject, it } from 'vitest'

const url = inject('superuserUrl')
const needs: { connections: number; extensions: string[] } = { connections: 7, extensions: [] }

function refusal(databaseUrl: string, more: Partial<typeof needs> = {}): Promise<string> {
  return requireUsable(databaseUrl, { ...needs, ...more }).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
}

it.for([
  ['transaction', true, 'is in transaction mode'],
  ['transaction', false, 'refuses the settings of a connection (options)'],
  ['session', true, 'ignores the settings of a connection (options)'],
  ['statement', true, 'is in statement mode'],
] as const)(
  'refuses a connection pooler in %s mode (ignores options: %s) within two seconds, in one line that says what to do',
  async ([mode, ignoresOptions, what], test) => {
    if (process.env.TEST_RUN !== 'long' && !isPoolerInstalled())
      test.skip('PgBouncer is not installed: apt-get install pgbouncer')
    const pooler = await startPooler(url, { mode, ignoresOptions })
    try {
      const startedAt = performance.now()

      expect(await refusal(pooler.url)).toMatch(
        new RegExp(
          `^at 127\\.0\\.0\\.1:\\d+ answers a connection pooler that .*: let DATABASE_URL name PostgreSQL itself`,
        ),
      )
      expect(await refusal(pooler.url)).toContain(what)
      expect(performance.now() - startedAt).toBeLessThan(2 * 2000)
    } finally {
      await pooler.stop()
    }
  },
)

it('refuses more connections than the server, the database or the user may have, and names the limit', async () => {
  expect(await refusal(url, { connections: 200 })).toBe(
    'the shop opens up to 206 connections to the database, but max_connections allows 100: raise it, or set DATABASE_CONNECTIONS to 94 or less',
  )
  await onServer(url, (server) => server.query('create database narrow connection limit 11'))
  try {
    expect(await refusal(databaseAt(url, 'narrow'))).toContain(
      'but the connection limit of the database allows 11: raise it, or set DATABASE_CONNECTIONS to 5 or less',
    )
  } finally {
    await onServer(url, (server) => server.query('drop database narrow'))
  }
})

it('refuses a database whose encoding is not UTF-8, and a server without a needed extension', async () => {
  await onServer(url, (server) =>
    server.query(
      `create database latin template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    ),
  )
  try {
    expect(await refusal(databaseAt(url, 'latin'))).toBe(
      `the database has the encoding LATIN1: create one with encoding 'UTF8'`,
    )
  } finally {
    await onServer(url, (server) => server.query('drop database latin'))
  }
  expect(await refusal(url, { extensions: ['pg_trgm', 'no_such'] })).toMatch(
    /^the database server lacks the extensions no_such:/,
  )
})
