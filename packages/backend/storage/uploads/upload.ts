import type { Context } from 'hono'

import { objectAddress } from '../objects/public-object.ts'
import type { StorageParts } from '../parts.ts'
import { requireValidKey } from '../request.ts'
import { storeUpload } from './store-upload.ts'
import { requireMayWrite } from './write-object.ts'

/** POST and PUT /object/:bucket/*path; PUT always replaces, POST with `x-upsert: true`. */
export async function upload(storage: StorageParts, c: Context): Promise<Response> {
  const target = targetOf(c, c.req.method === 'PUT' || c.req.header('x-upsert') === 'true')
  const owner = await requireMayWrite(storage, { c, operation: 'storage.object.upload' }, target)
  const { id } = await storeUpload(storage, c, { ...target, owner })
  return c.json({ Id: id, Key: `${target.bucket}/${target.path}` })
}

const UPLOAD_TOKEN_SECONDS = 2 * 3600

/** POST /object/upload/sign/:bucket/*path. Requires write access; the token allows one upload without an account. */
export async function signUpload(storage: StorageParts, c: Context): Promise<Response> {
  const target = targetOf(c, c.req.header('x-upsert') === 'true')
  const owner = await requireMayWrite(storage, { c, operation: 'storage.object.upload_signed' }, target)
  const url = `${target.bucket}/${target.path}`
  const token = await storage.addresses.sign(
    { url, purpose: 'upload', owner: owner ?? undefined, upsert: target.isUpsert },
    UPLOAD_TOKEN_SECONDS,
  )
  return c.json({ url: `/object/upload/sign/${url}?token=${token}`, token })
}

/** PUT /object/upload/sign/:bucket/*path?token */
export async function uploadSigned(storage: StorageParts, c: Context): Promise<Response> {
  const { bucket, path } = objectAddress(c)
  const expected = { url: `${bucket}/${path}`, purpose: 'upload' } as const
  const { url, owner, upsert } = await storage.addresses.verify(c.req.query('token'), expected)
  await storeUpload(storage, c, { bucket, path, isUpsert: upsert ?? false, owner: owner ?? null })
  return c.json({ Key: url })
}

function targetOf(c: Context, isUpsert: boolean) {
  const { bucket, path } = objectAddress(c)
  requireValidKey(path)
  return { bucket, path, isUpsert }
}
