import type { Context } from 'hono'

import { requirePublicObject } from '../objects/public-object.ts'
import { requireReadable } from '../objects/read-authenticated.ts'
import { StorageError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'
import { pictureResponse } from './picture-response.ts'
import { isOffered, parseTransformation } from './transformation.ts'

/** GET and HEAD /render/image/public/:bucket/*path?width&height&resize&quality&format */
export async function renderPublic(storage: StorageParts, c: Context): Promise<Response> {
  const object = await requirePublicObject(storage, c)
  await requireOffered(storage, c)
  return pictureResponse(storage, c, { object, query: c.req.query(), isPublic: true })
}

async function requireOffered(storage: StorageParts, c: Context): Promise<void> {
  if (!storage.pictures || isOffered(storage.pictures, parseTransformation(c.req.query()))) return
  const hasKey = Boolean(c.req.header('apikey') ?? c.req.header('authorization'))
  if (hasKey && (await storage.findCaller(c)).role === 'service_role') return
  throw new StorageError('InvalidRequest', 'This picture is not available in this size, quality or format')
}

/** GET /render/image/authenticated/:bucket/*path; policies decide about access, and only the caller may cache the response. */
export async function renderAuthenticated(storage: StorageParts, c: Context): Promise<Response> {
  const answer = await pictureResponse(storage, c, {
    object: await requireReadable(storage, c),
    query: c.req.query(),
  })
  answer.headers.set('Cache-Control', 'private, max-age=3600')
  return answer
}
