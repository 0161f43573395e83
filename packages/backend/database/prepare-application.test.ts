import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { databaseAt } from '#backend/testing/templates.ts'
import { startPostgres } from './embedded.ts'
import { type Application, applyApplication, type DatabaseServer } from './prepare-application.ts'
import { prepareRoles } from './prepare-backend.ts'
import { withConnection } from './upgrade/connection.ts'
import { embeddedServer } from './with-server.ts'

const PROCESSES = 12
const DATABASES = 8

const application: Application = {
  sourceFor: () => {
    throw new Error('not needed')
  },
  release: { version: '1.0.0', compatibleFrom: '1.0.0' },
  finish: async () => {},
}

/** Without the roles, until a test creates them. */
let server: DatabaseServer
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'at-once-'))
  const postgres = await startPostgres(folder, { durable: false })
  server = embeddedServer(postgres)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true })
  }
})

async function prepare(name: string): Promise<void> {
  const superuserUrl = databaseAt(server.superuserUrl, name)
  await prepareRoles(superuserUrl)
  await applyApplication({ url: databaseAt(server.url, name), superuserUrl }, application, 'newer')
}

const rejected = (outcomes: PromiseSettledResult<void>[]) =>
  outcomes.filter(({ status }) => status === 'rejected')

it('prepares several databases of one new server at once, which share its roles', async () => {
  const names = Array.from({ length: DATABASES }, (_, number) => `shop_${number}`)
  for (const name of names)
    await withConnection(server.superuserUrl, (client) => client.query(`create database ${name}`))
  expect(rejected(await Promise.allSettled(names.map(prepare)))).toEqual([])
})

it('lets many processes open an embedded database at once, each of which sets its owner’s password', async () => {
  await prepareRoles(server.superuserUrl)
  const opened = Array.from({ length: PROCESSES }, () => applyApplication(server, application, 'newer'))
  expect(rejected(await Promise.allSettled(opened))).toEqual([])
})
