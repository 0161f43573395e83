import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { shopDatabase } from '#test/database.ts'
import { databaseTypes, TYPES_FILE } from '../../scripts/database-types/database-types.ts'

it('keeps supabase/database.types.ts as the catalogue gives it: `npm run types:database` updates the file', async () => {
  const shop = await shopDatabase()
  try {
    expect(await readFile(TYPES_FILE, 'utf8')).toBe(await databaseTypes(shop.database.owner))
  } finally {
    await shop.close()
  }
})
