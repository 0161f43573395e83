import { fileURLToPath } from 'node:url'
import { freezeNewFiles } from '@saltfreak/backend/tools'

/** `npm run migrations:freeze`: records the hashes of new versioned files, which must not be edited afterwards. */
for (const folder of ['../packages/backend/database/migrations', '../supabase/migrations']) {
  const added = await freezeNewFiles(fileURLToPath(new URL(folder, import.meta.url)))
  for (const name of added) console.log(`frozen: ${name}`)
}
