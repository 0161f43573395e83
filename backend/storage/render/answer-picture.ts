import type { Context } from 'hono'

import { answerFile } from '../objects/answer-file.ts'
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

export interface PictureAsked {
  object: ObjectRow
  query: Record<string, string>
}

/** A picture as the query wants it and the browser likes it. Its address names all that, so it never changes. */
export async function answerPicture(
  storage: StorageParts,
  c: Context,
  { object, query }: PictureAsked,
): Promise<Response> {
  const asked = parseTransformation(query)
  const transformation = sparing(asked, c)
  const format = chooseFormat(transformation, c.req.header('accept') ?? '', object.metadata.mimetype)
  const picture = await storage.renderPicture({
    object,
    transformation,
    format,
    isOffered: !storage.pictures || isOffered(storage.pictures, asked),
    requireMaking: () => requireMaking(storage, c),
  })

  const answer = answerFile(storage.disk, c, {
    ...picture,
    eTag: eTagOf(object, picture.key),
    contentType: `image/${format}`,
    cacheControl: 'public, max-age=31536000, immutable',
    lastModified: new Date(object.updated_at),
  })
  answer.headers.set('Vary', 'Accept, Save-Data, ECT')
  answer.headers.set('X-Transformations', transformationsHeader(transformation))
  return answer
}

async function requireMaking({ mayMakePicture }: StorageParts, c: Context): Promise<void> {
  const address: unknown = c.get('remoteAddress')
  if (!mayMakePicture || typeof address !== 'string') return
  if (!(await mayMakePicture(address))) throw new StorageError('TooManyPictures')
}

/** What is left of the quality where the visitor saves data or the connection is slow. */
const SPARING_QUALITY = 45

function sparing(transformation: Transformation, c: Context): Transformation {
  const savesData = c.req.header('save-data') === 'on' || /^(slow-2g|2g|3g)$/.test(c.req.header('ect') ?? '')
  if (!savesData) return transformation
  return { ...transformation, quality: Math.min(transformation.quality, SPARING_QUALITY) }
}

/** The key names version, size, quality and format, hence the content. */
function eTagOf(object: ObjectRow, key: string): string {
  return `"${object.metadata.eTag.replaceAll('"', '')}-${key.slice(key.lastIndexOf('/') + 1)}"`
}
