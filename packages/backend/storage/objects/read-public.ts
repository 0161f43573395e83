import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'
import { fileResponse, type ServedFile } from './file-response.ts'
import { objectKey, type ObjectRow } from './object-row.ts'
import { redirectToPublicFile } from './public-redirect.ts'
import { requirePublicObject } from './public-object.ts'

/** GET and HEAD /object/public/:bucket/*path */
export async function readPublic(storage: StorageParts, c: Context): Promise<Response> {
  const object = await requirePublicObject(storage, c)
  const content = await findContent(storage, object)
  const file = await storage.stripMetadata(object, { content, isPublic: true })
  const redirect = file.bytes ? null : await redirectToPublicFile(storage.files, c, file.key)
  return redirect ?? fileResponse(storage.files, c, file)
}

export async function findContent({ files }: StorageParts, object: ObjectRow): Promise<ServedFile> {
  const key = objectKey(object.version)
  const stored = await files.find(key)
  if (!stored) throw new StorageError('NoSuchKey')
  return {
    key,
    size: stored.size,
    eTag: object.metadata.eTag,
    contentType: object.metadata.mimetype,
    cacheControl: object.metadata.cacheControl,
    lastModified: new Date(object.updated_at),
  }
}
