import type { Context } from 'hono'

import { answerFile } from '../objects/answer-file.ts'
import type { ObjectRow } from '../objects/object-row.ts'
import type { StorageParts } from '../parts.ts'
import { chooseFormat, parseTransformation } from './transformation.ts'

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
  const transformation = parseTransformation(query)
  const format = chooseFormat(transformation, c.req.header('accept') ?? '', object.metadata.mimetype)
  const picture = await storage.renderPicture({ object, transformation, format })

  const answer = answerFile(storage.disk, c, {
    ...picture,
    eTag: eTagOf(object, picture.key),
    contentType: `image/${format}`,
    cacheControl: 'public, max-age=31536000, immutable',
    lastModified: new Date(object.updated_at),
  })
  answer.headers.set('Vary', 'Accept')
  return answer
}

/** The key names version, size, quality and format, hence the content. */
function eTagOf(object: ObjectRow, key: string): string {
  return `"${object.metadata.eTag.replaceAll('"', '')}-${key.slice(key.lastIndexOf('/') + 1)}"`
}
