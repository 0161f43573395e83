import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { answerFile } from '../objects/answer-file.ts'
import { findObject, type ObjectRow } from '../objects/object-row.ts'
import { objectAddress } from '../objects/public-object.ts'
import { contentOf } from '../objects/read-public.ts'
import type { StorageParts } from '../parts.ts'
import { publicFace } from '../privacy/public-face.ts'
import { answerPicture } from '../render/answer-picture.ts'
import type { SignedAddress } from './address-signer.ts'

/** GET /object/sign/:bucket/*path?token: whoever has the address may read; policies were asked when it was made. */
export async function readSigned(storage: StorageParts, c: Context): Promise<Response> {
  const { object } = await requireSigned(storage, c)
  return answerFile(storage.disk, c, await publicFace(storage.disk, object, await contentOf(storage, object)))
}

/** GET /render/image/sign/:bucket/*path?token: the size is part of what was signed. */
export async function renderSigned(storage: StorageParts, c: Context): Promise<Response> {
  const { object, signed } = await requireSigned(storage, c)
  return answerPicture(storage, c, {
    object,
    query: Object.fromEntries(new URLSearchParams(signed.transformations)),
  })
}

async function requireSigned(
  storage: StorageParts,
  c: Context,
): Promise<{ object: ObjectRow; signed: SignedAddress }> {
  const { bucket, path } = objectAddress(c)
  const signed = await storage.addresses.verify(c.req.query('token') ?? '')
  if (signed.url !== `${bucket}/${path}` || signed.purpose !== 'read') throw new StorageError('InvalidJWT')
  const object = await findObject(storage.database.owner, { bucket, path })
  if (!object) throw new StorageError('NoSuchKey')
  return { object, signed }
}
