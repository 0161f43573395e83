import type { Context } from 'hono'

import { whyUnavailable } from '#backend/database/unavailable.ts'
import { requirePublicObject } from '../objects/public-object.ts'
import { requireReadable } from '../objects/read-authenticated.ts'
import { findContent } from '../objects/read-public.ts'
import { IMMUTABLE, redirectToPublicFile } from '../objects/public-redirect.ts'
import { derivativeTag, fileResponse } from '../objects/file-response.ts'
import { StorageError } from '../errors.ts'
import type { ObjectRow } from '../objects/object-row.ts'
import type { StorageParts } from '../parts.ts'
import {
  chooseFormat,
  isOffered,
  parseTransformation,
  type Transformation,
  transformationsHeader,
} from './transformation.ts'

export interface PictureRequest {
  object: ObjectRow
  query: Record<string, string>
  /** Seconds for which the caller's own cache may keep the picture. Without it, shared caches may keep the picture, too. */
  privateSeconds?: number
}

/** Rights to a file may end, and another file may take its place. */
export const PRIVATE_SECONDS = 3600
const ORIGINAL_SECONDS = 60

/**
 * Renders the size of the query in the best format of the `Accept` header. The response to everyone is immutable: URL and `Vary`
 * headers determine the content.
 */
export async function pictureResponse(
  storage: StorageParts,
  c: Context,
  { object, query, privateSeconds }: PictureRequest,
): Promise<Response> {
  const isPublic = privateSeconds === undefined
  const requested = parseTransformation(query)
  const transformation = reduceQualityToSaveData(requested, c)
  const format = chooseFormat(transformation, c.req.header('accept') ?? '', object.metadata.mimetype)
  const picture = await storage
    .renderPicture({
      object,
      transformation,
      format,
      isPublic,
      isOffered: !storage.pictures || isOffered(storage.pictures, requested),
      requireRenderAllowed: () => requireRenderAllowed(storage, c),
    })
    .catch(nullIfFull)
  if (!picture) return originalResponse(storage, c, { object, privateSeconds })

  const redirect = isPublic ? await redirectToPublicFile(storage.files, c, picture.key) : null
  const answer =
    redirect ??
    (await fileResponse(storage.files, c, {
      ...picture,
      eTag: derivativeTag(object.metadata.eTag, picture.key),
      contentType: `image/${format}`,
      cacheControl: isPublic ? IMMUTABLE : privateFor(privateSeconds),
      lastModified: new Date(object.updated_at),
    }))
  answer.headers.set('Vary', 'Accept, Save-Data, ECT')
  answer.headers.set('X-Transformations', transformationsHeader(transformation))
  return answer
}

function nullIfFull(error: unknown): null {
  const isFull = error instanceof StorageError && error.code === 'InsufficientStorage'
  if (isFull || whyUnavailable(error) === 'full') return null
  throw error
}

/** Without space for a new size, the picture is shown in its own size; a cache must ask for the right one again soon. */
async function originalResponse(
  storage: StorageParts,
  c: Context,
  { object, privateSeconds }: Omit<PictureRequest, 'query'>,
): Promise<Response> {
  const isPublic = privateSeconds === undefined
  const content = await findContent(storage, object)
  const original = await storage.stripMetadata(object, { content, isPublic })
  const cacheControl = isPublic
    ? `public, max-age=${ORIGINAL_SECONDS}`
    : privateFor(Math.min(privateSeconds, ORIGINAL_SECONDS))
  return fileResponse(storage.files, c, { ...original, cacheControl })
}

function privateFor(seconds: number): string {
  return `private, max-age=${seconds}`
}

async function requireRenderAllowed({ mayMakePicture }: StorageParts, c: Context): Promise<void> {
  const address: unknown = c.get('remoteAddress')
  if (!mayMakePicture || typeof address !== 'string') return
  if (!(await mayMakePicture(address))) throw new StorageError('TooManyPictures')
}

/** Limits the quality for visitors who save data or have a slow connection. */
const SAVE_DATA_QUALITY = 45

function reduceQualityToSaveData(transformation: Transformation, c: Context): Transformation {
  const savesData = c.req.header('save-data') === 'on' || /^(slow-2g|2g|3g)$/.test(c.req.header('ect') ?? '')
  if (!savesData) return transformation
  return { ...transformation, quality: Math.min(transformation.quality, SAVE_DATA_QUALITY) }
}

/** GET and HEAD /render/image/public/:bucket/*path?width&height&resize&quality&format */
export async function renderPublic(storage: StorageParts, c: Context): Promise<Response> {
  const object = await requirePublicObject(storage, c)
  await requireOffered(storage, c)
  return pictureResponse(storage, c, { object, query: c.req.query() })
}

async function requireOffered(storage: StorageParts, c: Context): Promise<void> {
  if (!storage.pictures || isOffered(storage.pictures, parseTransformation(c.req.query()))) return
  const hasKey = Boolean(c.req.header('apikey') ?? c.req.header('authorization'))
  if (hasKey && (await storage.findCaller(c)).role === 'service_role') return
  throw new StorageError('InvalidRequest', 'This picture is not available in this size, quality or format')
}

/** GET /render/image/authenticated/:bucket/*path; policies decide about access, and only the caller may cache the response. */
export async function renderAuthenticated(storage: StorageParts, c: Context): Promise<Response> {
  return pictureResponse(storage, c, {
    object: await requireReadable(storage, c),
    query: c.req.query(),
    privateSeconds: PRIVATE_SECONDS,
  })
}
