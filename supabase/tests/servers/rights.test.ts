import { randomUUID } from 'node:crypto'
import {
  databaseAt,
  findInstalledPostgres,
  onServer,
  prepareApplication,
  requireUsable,
  startInstalledPostgres,
} from '@saltfreak/backend/testing'
import { inject, expect, it } from 'vitest'
import { shopApplication } from '#server/prepare-database.ts'

const application = await shopApplication()
const needs = { connections: 20, extensions: application.extensions ?? [] }

/** A new database, and a user with these attributes only. */
async function strangersDatabase(superuserUrl: string, attributes: string) {
  const name = `rights_${randomUUID().replaceAll('-', '')}`
  await onServer(superuserUrl, async (server) => {
    await server.query(`create role ${name} login ${attributes} password 'secret'`)
    await server.query(`create database ${name}`)
  })
  const url = new URL(databaseAt(superuserUrl, name, name))
  url.password = 'secret'
  return {
    url: url.href,
    adminUrl: databaseAt(superuserUrl, name),
    drop: () =>
      onServer(superuserUrl, async (server) => {
        await server.query(`drop database ${name} with (force)`)
        await server.query(`drop role ${name}`)
      }),
  }
}

/** Runs what a refused start asks for, as an administrator would, and returns the statements. */
async function pasteRights(url: string, adminUrl: string): Promise<string[]> {
  const refusal = await requireUsable(url, needs).then(
    () => '',
    (error: Error) => error.message,
  )
  const [, ...lines] = refusal.split('\n')
  await onServer(adminUrl, (server) => server.query(lines.join('\n')))
  return lines.map((line) => line.trim())
}

/** Returns what was pasted. Visitors of the shop see its catalogue then. */
async function opensAfterOnePaste(superuserUrl: string, attributes = ''): Promise<string[]> {
  const { url, adminUrl, drop } = await strangersDatabase(superuserUrl, attributes)
  try {
    const pasted = await pasteRights(url, adminUrl)
    await requireUsable(url, needs)
    await prepareApplication({ url, superuserUrl: url }, application)
    await onServer(url, async (owner) => {
      await owner.query('set role anon')
      const { rows } = await owner.query('select count(*)::int from public.product_availability')
      expect(rows).toEqual([{ count: 15 }])
    })
    return pasted
  } finally {
    await drop()
  }
}

it('names all missing rights at once, and opens the shop for a user who got exactly these', async () => {
  const pasted = await opensAfterOnePaste(inject('superuserUrl'))

  expect(pasted).toContainEqual(expect.stringMatching(/^alter role \S+ bypassrls;$/))
  expect(pasted).toContainEqual(expect.stringMatching(/^grant create, temporary on database \S+ to \S+;$/))
  expect(pasted).toContainEqual(expect.stringMatching(/^grant authenticator to \S+;$/))
})

it.for([
  {
    user: 'a user who may only sign in',
    attributes: '',
    expected: [
      'create role anon nologin noinherit;',
      `alter role anon set statement_timeout = '3s';`,
      'grant service_role to authenticator;',
    ],
  },
  {
    user: 'a user who may create roles',
    attributes: 'createrole bypassrls',
    expected: ['create role service_role nologin noinherit bypassrls;'],
  },
])(
  'opens an empty PostgreSQL 15 for $user after the rights were pasted once',
  async ({ attributes, expected }, test) => {
    const binaries = await findInstalledPostgres()
    if (!binaries && process.env.TEST_RUN !== 'long')
      test.skip('PostgreSQL is not installed: apt-get install postgresql-15')
    const server = await startInstalledPostgres(binaries ?? '')
    try {
      expect(await opensAfterOnePaste(server.url, attributes)).toEqual(expect.arrayContaining(expected))
    } finally {
      await server.stop()
    }
  },
)
