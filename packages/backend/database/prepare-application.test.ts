import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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

/** Runs `work` with an empty embedded server. */
async function withNewServer(work: (server: DatabaseServer) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'at-once-'))
  const postgres = await startPostgres(folder, { durable: false })
  try {
    await work(embeddedServer(postgres))
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true })
  }
}

const rejected = (outcomes: PromiseSettledResult<void>[]) =>
  outcomes.filter(({ status }) => status === 'rejected')

it('lets many processes open an embedded database at once, each of which sets its owner’s password', async () => {
  await withNewServer(async (server) => {
    await prepareRoles(server.superuserUrl)
    const opened = Array.from({ length: PROCESSES }, () => applyApplication(server, application, 'newer'))
    expect(rejected(await Promise.allSettled(opened))).toEqual([])
  })
})

it('prepares several databases of one server at once, which share its roles', async () => {
  await withNewServer(async (server) => {
    const names = Array.from({ length: DATABASES }, (_, number) => `shop_${number}`)
    for (const name of names)
      await withConnection(server.superuserUrl, (client) => client.query(`create database ${name}`))
    const prepare = async (name: string) => {
      const superuserUrl = databaseAt(server.superuserUrl, name)
      await prepareRoles(superuserUrl)
      await applyApplication({ url: databaseAt(server.url, name), superuserUrl }, application, 'newer')
    }
    expect(rejected(await Promise.allSettled(names.map(prepare)))).toEqual([])
  })
})
