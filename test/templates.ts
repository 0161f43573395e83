import { copyTemplate, databaseAt, prepareApplication, prepareBackend } from '@saltfreak/backend/testing'
import { shopApplication } from '#server/prepare-database.ts'

/**
 * Creates the template database `shop`, which has the shop's tables and seed. Returns its error or null, so that a broken
 * migration fails only the tests that need it.
 */
export async function buildShopTemplate(superuserUrl: string): Promise<string | null> {
  await copyTemplate(superuserUrl, 'bare', 'shop')
  return prepareShop(superuserUrl).then(
    () => null,
    (error: Error) => error.message,
  )
}

/** Applies the SQL of this folder to existing templates. */
export async function upgradeTemplates(superuserUrl: string): Promise<void> {
  await prepareBackend(databaseAt(superuserUrl, 'bare'))
  await prepareShop(superuserUrl)
}

async function prepareShop(superuserUrl: string): Promise<void> {
  const url = databaseAt(superuserUrl, 'shop', 'postgres')
  const server = { url, superuserUrl: databaseAt(superuserUrl, 'shop') }
  await prepareApplication(server, await shopApplication())
}
