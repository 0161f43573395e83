import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { asAsked, type StorageParts } from '../parts.ts'
import { answerFile } from './answer-file.ts'
import { findObject, type ObjectRow } from './object-row.ts'
import { objectAddress, requirePublicObject } from './public-object.ts'
import { contentOf } from './read-public.ts'

/** GET and HEAD /object/:bucket/*path and /object/authenticated/…: whom a policy lets read. */
export async function readAuthenticated(storage: StorageParts, c: Context): Promise<Response> {
  const content = await contentOf(storage, await requireReadable(storage, c))
  return answerFile(storage.disk, c, { ...content, cacheControl: `private, ${content.cacheControl}` })
}

/** Not there and not allowed look the same. */
export async function requireReadable(storage: StorageParts, c: Context): Promise<ObjectRow> {
  const address = objectAddress(c)
  const object = await asAsked(storage, { c, operation: 'storage.object.get_authenticated' }, (client) =>
    findObject(client, address),
  )
  if (!object) throw new StorageError('NoSuchKey')
  return object
}

/** GET /object/info/:bucket/*path */
export async function objectInfo(storage: StorageParts, c: Context): Promise<Response> {
  return c.json(infoOf(await requireReadable(storage, c)))
}

/** GET /object/info/public/:bucket/*path */
export async function publicObjectInfo(storage: StorageParts, c: Context): Promise<Response> {
  return c.json(infoOf(await requirePublicObject(storage, c)))
}

function infoOf({ metadata, ...object }: ObjectRow) {
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    content_encoding: null,
    etag: metadata.eTag,
    metadata: object.user_metadata ?? {},
    last_modified: object.updated_at,
    created_at: object.created_at,
  }
}
