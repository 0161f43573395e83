import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { runAsCaller, type StorageParts } from '../parts.ts'
import { fileResponse } from './file-response.ts'
import { findObject, type ObjectRow } from './object-row.ts'
import { objectAddress, requirePublicObject } from './public-object.ts'
import { findContent } from './read-public.ts'

/** GET and HEAD /object/:bucket/*path and /object/authenticated/:bucket/*path; policies decide about access. */
export async function readAuthenticated(storage: StorageParts, c: Context): Promise<Response> {
  const content = await findContent(storage, await requireReadable(storage, c))
  return fileResponse(storage.files, c, { ...content, cacheControl: `private, ${content.cacheControl}` })
}

/** Throws the same error for a missing object as for a forbidden one. */
export async function requireReadable(storage: StorageParts, c: Context): Promise<ObjectRow> {
  const address = objectAddress(c)
  const object = await runAsCaller(storage, { c, operation: 'storage.object.get_authenticated' }, (client) =>
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
