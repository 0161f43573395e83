import { copyTemplate, databaseAt, prepareApplication } from '@saltfreak/backend/testing'
import { shopApplication } from '#server/prepare-database.ts'

/**
 * Creates the template database `shop`, which has the shop's tables and seed. Returns its error or null, so that a broken
 * migration fails only the tests that need it.
 */
export async function buildShopTemplate(superuserUrl: string): Promise<string | null> {
  await copyTemplate(superuserUrl, 'bare', 'shop')
  const url = databaseAt(superuserUrl, 'shop', 'postgres')
  const server = { url, superuserUrl: databaseAt(superuserUrl, 'shop') }
  return prepareApplication(server, await shopApplication()).then(
    () => null,
    (error: Error) => error.message,
  )
}
