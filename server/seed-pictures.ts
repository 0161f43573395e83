import { join } from 'node:path'
import { seedBucket, type SeedTarget } from '@saltfreak/backend'

/** Folders of `assets/` with the pictures and films of the pages. */
const SITE = ['hero', 'experience', 'gallery', 'about', 'og']

/** Uploads the repository's pictures to the storage buckets; existing files are kept. */
export async function seedPictures(target: SeedTarget, projectFolder: string): Promise<void> {
  const assets = join(projectFolder, 'assets')
  await seedBucket(target, { bucket: 'catalogue', folder: join(assets, 'product') })
  for (const path of SITE) await seedBucket(target, { bucket: 'site', folder: join(assets, path), path })
}
