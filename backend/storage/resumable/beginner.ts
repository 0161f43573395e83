import type { Context } from 'hono'

import { networkOf } from '#backend/http/network.ts'
import { StorageError } from '../errors.ts'
import type { ObjectAddress } from '../objects/object-row.ts'
import type { StorageParts } from '../parts.ts'
import type { SignedAddress } from '../signed/address-signer.ts'
import { requireMayWrite } from '../uploads/write-object.ts'
import type { Beginner, ResumableUpload } from './upload-row.ts'

/** The caller's right to a request about an upload: by the policies, or by a signed token. */
export interface Access {
  isSigned: boolean
}

export interface Admitted extends Beginner {
  isUpsert: boolean
  countedFor: string | null
}

/** Who begins an upload of this file, once the policies or a signed token let them. */
export async function requireMayBegin(
  storage: StorageParts,
  c: Context,
  { isSigned, ...file }: ObjectAddress & Access,
): Promise<Admitted> {
  if (isSigned) {
    const { owner, upsert } = await requireSignature(storage, c, file)
    return { begunAs: 'signed', owner: owner ?? null, isUpsert: upsert ?? false, countedFor: networkFor(c) }
  }
  const isUpsert = c.req.header('x-upsert') === 'true'
  const operation = 'storage.tus.upload.create'
  const owner = await requireMayWrite(storage, { c, operation }, { ...file, isUpsert })
  const { role } = await storage.findCaller(c)
  const countedFor = role === 'service_role' ? null : (owner ?? networkFor(c))
  return { begunAs: role, owner, isUpsert, countedFor }
}

/** Absent for calls from within the process. */
function networkFor(c: Context): string {
  const address: unknown = c.get('remoteAddress')
  return typeof address === 'string' ? networkOf(address) : 'this process'
}

/** Another caller's upload looks like one that does not exist. */
export async function requireBeginner(
  storage: StorageParts,
  c: Context,
  { isSigned, upload }: Access & { upload: ResumableUpload },
): Promise<void> {
  if (isSigned !== (upload.begunAs === 'signed')) throw new StorageError('NoSuchUpload')
  if (isSigned) return void (await requireSignature(storage, c, upload))
  const { role, userId } = await storage.findCaller(c)
  // A visitor has nothing to be recognised by, except that only they know the upload's address.
  const isBeginner = upload.begunAs === 'anon' || (role === upload.begunAs && userId === upload.owner)
  if (!isBeginner) throw new StorageError('NoSuchUpload')
}

/** Asked again with each part: rights may have been withdrawn since the upload began. */
export async function requireMayContinue(
  storage: StorageParts,
  c: Context,
  upload: ResumableUpload,
): Promise<void> {
  if (upload.begunAs === 'signed') return
  await requireMayWrite(storage, { c, operation: 'storage.tus.upload.part' }, upload)
}

async function requireSignature(
  { addresses }: StorageParts,
  c: Context,
  { bucket, path }: ObjectAddress,
): Promise<SignedAddress> {
  const token = c.req.header('x-signature')
  if (!token) throw new StorageError('InvalidRequest', 'Missing x-signature header')
  const claims = await addresses.verify(token)
  if (claims.url !== `${bucket}/${path}` || claims.purpose !== 'upload') throw new StorageError('InvalidJWT')
  return claims
}
