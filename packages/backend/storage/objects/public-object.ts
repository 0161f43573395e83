import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'
import { findPublicObject, type ObjectRow } from './object-row.ts'

/** Throws the same error for a private bucket as for a missing one. */
export async function requirePublicObject(storage: StorageParts, c: Context): Promise<ObjectRow> {
  const { bucket, path } = objectAddress(c)
  const found = await findPublicObject(storage.database.owner, { bucket, path })
  if (!found?.isPublic) throw new StorageError('NoSuchBucket')
  if (!found.object) throw new StorageError('NoSuchKey')
  return found.object
}

/** Names never become file system paths, so `../` needs no check here: no object has such a name. */
export function objectAddress(c: Context): { bucket: string; path: string } {
  const bucket = c.req.param('bucket') ?? ''
  const path = c.req.param('path') ?? ''
  if (`${bucket}${path}`.includes('\0')) throw new StorageError('NoSuchKey')
  return { bucket, path }
}
