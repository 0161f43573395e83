/** `npm run types:database`: generates the types of tables, views and functions from a fresh database. */
import { writeFile } from 'node:fs/promises'
import { openCopy, startTestServer } from '@saltfreak/backend/testing'
import { buildShopTemplate } from '#test/templates.ts'
import { databaseTypes, TYPES_FILE } from './database-types/database-types.ts'

const { superuserUrl, stop } = await startTestServer()
try {
  const problem = await buildShopTemplate(superuserUrl)
  if (problem) throw new Error(problem)
  const { database, close } = await openCopy(superuserUrl, 'shop')
  await writeFile(TYPES_FILE, await databaseTypes(database.owner))
  await close()
} finally {
  await stop()
}
