import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { openDatabase, type DatabasePools } from '#backend/database/pool.ts'
import { prepareBackend } from '#backend/database/prepare-backend.ts'

const SEARCH_PATH = '"$user", public, extensions'

export interface TestDatabase {
  /** For role `postgres`, which owns the tables. */
  url: string
  /** For the server's superuser, which prepares databases. */
  superuserUrl: string
  database: DatabasePools
  close(this: void): Promise<void>
}

/** Creates the template database `bare`, which has the backend's roles and schemas. */
export async function buildBareTemplate(superuserUrl: string): Promise<void> {
  await onServer(superuserUrl, (server) => server.query('create database bare'))
  await prepareBackend(databaseAt(superuserUrl, 'bare'))
  await onServer(superuserUrl, (server) => {
    const { password } = new URL(superuserUrl)
    return server.query(`alter role postgres with password ${server.escapeLiteral(password)}`)
  })
}

/** Creates a database as a copy of a template, owned by the role `postgres`. */
export async function copyTemplate(superuserUrl: string, template: string, name: string): Promise<void> {
  await onServer(superuserUrl, async (server) => {
    // Without durability, copying files is twice as fast as writing them through the log.
    await server.query(`create database ${name} template ${template} owner postgres strategy file_copy`)
    await server.query(`alter database ${name} set search_path to ${SEARCH_PATH}`)
  })
}

/** Opens a copy of a template, which `close` drops. */
export async function openCopy(superuserUrl: string, template: string): Promise<TestDatabase> {
  const name = `${template}_${randomUUID().replaceAll('-', '')}`
  await copyTemplate(superuserUrl, template, name)
  const url = databaseAt(superuserUrl, name, 'postgres')
  const database = openDatabase(url, { ownerConnections: 5, apiConnections: 10 })
  return {
    url,
    superuserUrl: databaseAt(superuserUrl, name),
    database,
    async close() {
      await database.close()
      await onServer(superuserUrl, (server) => server.query(`drop database ${name} with (force)`))
    },
  }
}

/** Returns the server's URL with another database and role. */
export function databaseAt(url: string, database: string, role?: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  if (role) address.username = role
  return address.href
}

/** Runs `work` on a connection of its own, outside any transaction. */
export async function onServer(url: string, work: (server: Client) => Promise<unknown>): Promise<void> {
  const server = new Client({ connectionString: url })
  await server.connect()
  try {
    await work(server)
  } finally {
    await server.end()
  }
}
