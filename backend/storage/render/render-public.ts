import type { Context } from 'hono'

import { requirePublicObject } from '../objects/public-object.ts'
import { requireReadable } from '../objects/read-authenticated.ts'
import type { StorageParts } from '../parts.ts'
import { answerPicture } from './answer-picture.ts'

/** GET and HEAD /render/image/public/:bucket/*path?width&height&resize&quality&format */
export async function renderPublic(storage: StorageParts, c: Context): Promise<Response> {
  return answerPicture(storage, c, { object: await requirePublicObject(storage, c), query: c.req.query() })
}

/** GET /render/image/authenticated/:bucket/*path: as the policies allow, for the caller's own cache only. */
export async function renderAuthenticated(storage: StorageParts, c: Context): Promise<Response> {
  const answer = await answerPicture(storage, c, {
    object: await requireReadable(storage, c),
    query: c.req.query(),
  })
  answer.headers.set('Cache-Control', 'private, max-age=3600')
  return answer
}
