import { randomUUID } from 'node:crypto'
import { Client, type ClientBase } from 'pg'
import { inject } from 'vitest'
import { type DatabasePools, openDatabase } from '#backend/database/pool.ts'
import { databaseAt, SEARCH_PATH } from './templates.ts'

export interface TestDatabase {
  /** For role `postgres`, which owns the tables. */
  url: string
  /** For the server's superuser, which prepares databases. */
  superuserUrl: string
  database: DatabasePools
  close(): Promise<void>
}

/** Creates a database with the shop's tables and seed; for a test file, in `beforeAll`. */
export async function shopDatabase(): Promise<TestDatabase> {
  const problem = inject('shopProblem')
  if (problem) throw new Error(problem)
  return copyOf('shop')
}

/** Creates a database with the backend's roles and schemas only, for tests of code that does not depend on this shop. */
export async function bareDatabase(): Promise<TestDatabase> {
  return copyOf('bare')
}

/** Creates an empty database on a server that has the backend's roles. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return copyOf('template1')
}

export type Who = 'anon' | 'service_role' | ({ sub: string } & Record<string, unknown>)

/** Lets `client` act as a visitor, the service or a signed-in person until the open transaction ends. */
export async function as(client: ClientBase, who: Who): Promise<void> {
  const claims = typeof who === 'string' ? { role: who } : { role: 'authenticated', ...who }
  await client.query(`select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`, [
    JSON.stringify(claims),
    claims.role,
  ])
}

async function copyOf(template: 'shop' | 'bare' | 'template1'): Promise<TestDatabase> {
  const name = `${template}_${randomUUID().replaceAll('-', '')}`
  await onServer(async (server) => {
    await server.query(`create database ${name} template ${template} owner postgres`)
    await server.query(`alter database ${name} set search_path to ${SEARCH_PATH}`)
  })
  const url = databaseAt(inject('superuserUrl'), name, 'postgres')
  const database = openDatabase(url, { ownerConnections: 5, apiConnections: 10 })
  return {
    url,
    superuserUrl: databaseAt(inject('superuserUrl'), name),
    database,
    async close() {
      await database.close()
      await onServer((server) => server.query(`drop database ${name} with (force)`))
    },
  }
}

async function onServer(work: (server: Client) => Promise<unknown>): Promise<void> {
  const server = new Client({ connectionString: inject('superuserUrl') })
  await server.connect()
  try {
    await work(server)
  } finally {
    await server.end()
  }
}
