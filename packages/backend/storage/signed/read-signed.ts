import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { fileResponse } from '../objects/file-response.ts'
import { findObject, type ObjectRow } from '../objects/object-row.ts'
import { objectAddress } from '../objects/public-object.ts'
import { findContent } from '../objects/read-public.ts'
import type { StorageParts } from '../parts.ts'
import { pictureResponse } from '../render/picture-response.ts'
import type { SignedAddress } from './address-signer.ts'

/** GET /object/sign/:bucket/*path?token. The token alone grants access: signing it has checked the policies. */
export async function readSigned(storage: StorageParts, c: Context): Promise<Response> {
  const { object } = await requireSigned(storage, c)
  return fileResponse(
    storage.files,
    c,
    await storage.stripMetadata(object, {
      content: await findContent(storage, object),
      isPublic: false,
    }),
  )
}

/** GET /render/image/sign/:bucket/*path?token. The token contains the transformation. */
export async function renderSigned(storage: StorageParts, c: Context): Promise<Response> {
  const { object, signed } = await requireSigned(storage, c)
  return pictureResponse(storage, c, {
    object,
    query: Object.fromEntries(new URLSearchParams(signed.transformations)),
  })
}

async function requireSigned(
  storage: StorageParts,
  c: Context,
): Promise<{ object: ObjectRow; signed: SignedAddress }> {
  const { bucket, path } = objectAddress(c)
  const expected = { url: `${bucket}/${path}`, purpose: 'read' } as const
  const signed = await storage.addresses.verify(c.req.query('token'), expected)
  const object = await findObject(storage.database.owner, { bucket, path })
  if (!object) throw new StorageError('NoSuchKey')
  return { object, signed }
}
