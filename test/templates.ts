import { copyTemplate, databaseAt } from '@saltfreak/backend/testing'
import { prepareShop } from '#server/prepare-database.ts'

/**
 * Creates the template database `shop`, which has the shop's tables and seed. Returns its error or null, so that a broken
 * migration fails only the tests that need it.
 */
export async function buildShopTemplate(superuserUrl: string): Promise<string | null> {
  await copyTemplate(superuserUrl, 'bare', 'shop')
  const url = databaseAt(superuserUrl, 'shop', 'postgres')
  return prepareShop({ url, superuserUrl: databaseAt(superuserUrl, 'shop') }).then(
    () => null,
    (error: Error) => error.message,
  )
}
