import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { publicFace } from '../privacy/public-face.ts'
import type { StorageParts } from '../parts.ts'
import { answerFile, type FileToAnswer } from './answer-file.ts'
import { objectKey, type ObjectRow } from './object-row.ts'
import { requirePublicObject } from './public-object.ts'

/** GET and HEAD /object/public/:bucket/*path */
export async function readPublic(storage: StorageParts, c: Context): Promise<Response> {
  const object = await requirePublicObject(storage, c)
  return answerFile(storage.disk, c, await publicFace(storage.disk, object, await contentOf(storage, object)))
}

export async function contentOf({ disk }: StorageParts, object: ObjectRow): Promise<FileToAnswer> {
  const key = objectKey(object.version)
  const stored = await disk.find(key)
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
