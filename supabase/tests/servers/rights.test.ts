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

/** A server, a new database on it, and a user who may only sign in. */
async function strangersDatabase(superuserUrl: string) {
  const name = `rights_${randomUUID().replaceAll('-', '')}`
  await onServer(superuserUrl, async (server) => {
    await server.query(`create role ${name} login password 'secret'`)
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

async function opensAfterOnePaste(superuserUrl: string): Promise<string[]> {
  const { url, adminUrl, drop } = await strangersDatabase(superuserUrl)
  try {
    const pasted = await pasteRights(url, adminUrl)
    await requireUsable(url, needs)
    await prepareApplication({ url, superuserUrl: url }, application)
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

it('opens on an empty PostgreSQL 15 after its administrator has pasted the rights once', async (test) => {
  const binaries = await findInstalledPostgres()
  if (!binaries && process.env.TEST_RUN !== 'long')
    test.skip('PostgreSQL is not installed: apt-get install postgresql-15')
  const server = await startInstalledPostgres(binaries ?? '')
  try {
    const pasted = await opensAfterOnePaste(server.url)

    expect(pasted).toContain('create role service_role nologin noinherit bypassrls;')
  } finally {
    await server.stop()
  }
})
