import { join } from 'node:path'
import { Hono } from 'hono'

import type { Database } from '#backend/database/pool.ts'
import { localDisk } from './disk/local-disk.ts'
import { answerError, StorageError } from './errors.ts'
import { readPublic } from './objects/read-public.ts'
import type { StorageParts } from './parts.ts'
import { createRenderer } from './render/derivatives.ts'
import { renderPublic } from './render/render-public.ts'

export interface StorageOptions {
  database: Database
  /** The process's data folder; files lie in `storage/` below it. */
  dataDir: string
  log: { error(fields: object, message: string): void }
}

/** `/storage/v1`, mounted at that path. */
export function createStorage({ database, dataDir, log }: StorageOptions): Hono {
  const disk = storageDisk(dataDir)
  const storage: StorageParts = { database, disk, renderPicture: createRenderer(disk) }
  const app = new Hono()

  app.get('/object/public/:bucket/:path{.+}', (c) => readPublic(storage, c))
  app.get('/render/image/public/:bucket/:path{.+}', (c) => renderPublic(storage, c))
  app.get('/status', (c) => c.body(null, 200))

  // Not `notFound`: only the outermost app's is asked.
  app.all('*', () => answerError(new StorageError('NoSuchRoute')))
  app.onError((error, c) => {
    if (error instanceof StorageError) return answerError(error)
    log.error({ err: error, path: c.req.path }, 'storage failed')
    return answerError(new StorageError('InternalError'))
  })
  return app
}

export function storageDisk(dataDir: string) {
  return localDisk(join(dataDir, 'storage'))
}
