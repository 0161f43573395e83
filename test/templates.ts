import { Client } from 'pg'
import { prepareBackend } from '#backend/database/prepare-backend.ts'
import { prepareShop } from '#server/prepare-database.ts'

export const SEARCH_PATH = '"$user", public, extensions'

/**
 * Creates template databases: `bare` has the backend's roles and schemas, `shop` also the shop's tables and seed.
 * Returns the error of `shop` or null, so that a broken migration fails only the tests that need it.
 */
export async function buildTemplates(superuserUrl: string): Promise<string | null> {
  const server = new Client({ connectionString: superuserUrl })
  await server.connect()
  try {
    await server.query('create database bare')
    await prepareBackend(databaseAt(superuserUrl, 'bare'))
    const { password } = new URL(superuserUrl)
    await server.query(`alter role postgres with password ${server.escapeLiteral(password)}`)

    await server.query('create database shop template bare owner postgres')
    await server.query(`alter database shop set search_path to ${SEARCH_PATH}`)
    const url = databaseAt(superuserUrl, 'shop', 'postgres')
    return await prepareShop({ url, superuserUrl: databaseAt(superuserUrl, 'shop') }).then(
      () => null,
      (error: Error) => error.message,
    )
  } finally {
    await server.end()
  }
}

/** Returns the server's URL with another database and role. */
export function databaseAt(url: string, database: string, role?: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  if (role) address.username = role
  return address.href
}
