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

/** `bare` has the backend's roles and schemas, `shop` is a copy of it with the shop's. */
export type TemplateName = 'bare' | 'shop'

/** Applies the SQL of this folder to an existing template. */
export async function upgradeTemplate(superuserUrl: string, name: TemplateName): Promise<void> {
  if (name === 'bare') await prepareBackend(databaseAt(superuserUrl, 'bare'))
  else await prepareShop(superuserUrl)
}

async function prepareShop(superuserUrl: string): Promise<void> {
  const url = databaseAt(superuserUrl, 'shop', 'postgres')
  const server = { url, superuserUrl: databaseAt(superuserUrl, 'shop') }
  await prepareApplication(server, await shopApplication())
}
