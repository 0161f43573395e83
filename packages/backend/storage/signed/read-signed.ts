import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { fileResponse } from '../objects/file-response.ts'
import { findObject, type ObjectRow } from '../objects/object-row.ts'
import { objectAddress } from '../objects/public-object.ts'
import { findContent } from '../objects/read-public.ts'
import type { StorageParts } from '../parts.ts'
import { pictureResponse, PRIVATE_SECONDS } from '../render/picture-response.ts'
import type { SignedAddress } from './address-signer.ts'

/** GET /object/sign/:bucket/*path?token. The token alone grants access: signing it has checked the policies. */
export async function readSigned(storage: StorageParts, c: Context): Promise<Response> {
  const { object, secondsLeft } = await requireSigned(storage, c)
  const content = await findContent(storage, object)
  const file = await storage.stripMetadata(object, { content, isPublic: false })
  const lifetime = file.cacheControl.replaceAll(
    /max-age=(\d+)/g,
    (_, seconds: string) => `max-age=${Math.min(Number(seconds), secondsLeft)}`,
  )
  return fileResponse(storage.files, c, { ...file, cacheControl: `private, ${lifetime}` })
}

/** GET /render/image/sign/:bucket/*path?token. The token contains the transformation. */
export async function renderSigned(storage: StorageParts, c: Context): Promise<Response> {
  const { object, signed, secondsLeft } = await requireSigned(storage, c)
  return pictureResponse(storage, c, {
    object,
    query: Object.fromEntries(new URLSearchParams(signed.transformations)),
    privateSeconds: Math.min(PRIVATE_SECONDS, secondsLeft),
  })
}

interface SignedObject {
  object: ObjectRow
  signed: SignedAddress
  /** A cache must not show the file for longer than the address does. */
  secondsLeft: number
}

async function requireSigned(storage: StorageParts, c: Context): Promise<SignedObject> {
  const { bucket, path } = objectAddress(c)
  const expected = { url: `${bucket}/${path}`, purpose: 'read' } as const
  const signed = await storage.addresses.verify(c.req.query('token'), expected)
  const object = await findObject(storage.database.owner, { bucket, path })
  if (!object) throw new StorageError('NoSuchKey')
  const secondsLeft = Math.max(0, (signed.exp ?? 0) - Math.ceil(Date.now() / 1000))
  return { object, signed, secondsLeft }
}
