import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startPostgres } from './embedded.ts'
import { type Application, applyApplication } from './prepare-application.ts'
import { prepareRoles } from './prepare-backend.ts'
import { embeddedServer } from './with-server.ts'

const PROCESSES = 12

const application: Application = {
  sourceFor: () => {
    throw new Error('not needed')
  },
  release: { version: '1.0.0', compatibleFrom: '1.0.0' },
  finish: async () => {},
}

it('lets many processes open an embedded database at once, each of which sets its owner’s password', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'at-once-'))
  const postgres = await startPostgres(folder, { durable: false })
  try {
    const server = embeddedServer(postgres)
    await prepareRoles(server.superuserUrl)

    const opened = await Promise.allSettled(
      Array.from({ length: PROCESSES }, () => applyApplication(server, application, 'newer')),
    )

    expect(opened.filter(({ status }) => status === 'rejected')).toEqual([])
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true })
  }
})
