import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { shopDatabase } from '#test/database.ts'
import { databaseTypes, TYPES_FILE } from '../../scripts/database-types/database-types.ts'

it('matches the generated types in supabase/database.types.ts (update: npm run types:database)', async () => {
  const shop = await shopDatabase()
  try {
    expect(await readFile(TYPES_FILE, 'utf8')).toBe(await databaseTypes(shop.database.owner))
  } finally {
    await shop.close()
  }
})
