import type { Database } from '#backend/database/pool.ts'
import type { Disk } from './disk/disk.ts'
import type { RenderPicture } from './render/derivatives.ts'

/** What every operation is given. */
export interface StorageParts {
  database: Database
  disk: Disk
  renderPicture: RenderPicture
}
