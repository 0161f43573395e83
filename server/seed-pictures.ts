import { join } from 'node:path'
import { seedBucket, type SeedTarget } from '#backend/storage/seed-bucket.ts'

/** Folders of `assets/` whose pictures and films the pages show. */
const SITE = ['hero', 'experience', 'gallery', 'about', 'og']

/** Puts the checkout's pictures where the pages ask for them; those that are there already stay. */
export async function seedPictures(target: SeedTarget, projectFolder: string): Promise<void> {
  const assets = join(projectFolder, 'assets')
  await seedBucket(target, { bucket: 'catalogue', folder: join(assets, 'product') })
  for (const path of SITE) await seedBucket(target, { bucket: 'site', folder: join(assets, path), path })
}
