import { fileURLToPath } from 'node:url'
import { freezeNewFiles } from '#backend/database/upgrade/checksums.ts'

/** `npm run migrations:freeze`: lists new versioned files with their hashes, after which they may not be edited any more. */
for (const folder of ['../backend/database/migrations', '../supabase/migrations']) {
  // oxlint-disable-next-line no-await-in-loop -- two folders, and their names are printed in order
  const added = await freezeNewFiles(fileURLToPath(new URL(folder, import.meta.url)))
  for (const name of added) console.log(`frozen: ${name}`)
}
