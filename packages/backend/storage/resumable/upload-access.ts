import type { Context } from 'hono'

import { siteOf } from '#backend/http/network.ts'
import { StorageError } from '../errors.ts'
import type { ObjectAddress } from '../objects/object-row.ts'
import type { StorageParts } from '../parts.ts'
import type { SignedAddress } from '../signed/address-signer.ts'
import { requireMayWrite } from '../uploads/write-object.ts'
import type { UploadCreator, ResumableUpload } from './upload-row.ts'

/** Whether a signed token grants access instead of the policies. */
export interface Access {
  isSigned: boolean
}

export interface AdmittedUpload extends UploadCreator {
  isUpsert: boolean
  countedFor: string | null
}

/** Returns the creator of a new upload; throws unless the policies or a signed token allow it. */
export async function requireMayCreate(
  storage: StorageParts,
  c: Context,
  { isSigned, ...file }: ObjectAddress & Access,
): Promise<AdmittedUpload> {
  if (isSigned) {
    const { owner, upsert } = await requireSignature(storage, c, file)
    return { createdBy: 'signed', owner: owner ?? null, isUpsert: upsert ?? false, countedFor: networkFor(c) }
  }
  const isUpsert = c.req.header('x-upsert') === 'true'
  const operation = 'storage.tus.upload.create'
  const owner = await requireMayWrite(storage, { c, operation }, { ...file, isUpsert })
  const { role } = await storage.findCaller(c)
  const countedFor = role === 'service_role' ? null : networkFor(c)
  return { createdBy: role, owner, isUpsert, countedFor }
}

/** Calls from within the process have no remote address. */
function networkFor(c: Context): string {
  const address: unknown = c.get('remoteAddress')
  return typeof address === 'string' ? siteOf(address) : 'this process'
}

/** Throws the same error for another caller's upload as for a missing one. */
export async function requireUploadCreator(
  storage: StorageParts,
  c: Context,
  { isSigned, upload }: Access & { upload: ResumableUpload },
): Promise<void> {
  if (isSigned !== (upload.createdBy === 'signed')) throw new StorageError('NoSuchUpload')
  if (isSigned) return void (await requireSignature(storage, c, upload))
  const { role, userId } = await storage.findCaller(c)
  // A visitor has no identity: knowing the secret URL is the proof.
  const isCreator = upload.createdBy === 'anon' || (role === upload.createdBy && userId === upload.owner)
  if (!isCreator) throw new StorageError('NoSuchUpload')
}

/** Checks the policies again with each part, because rights may be withdrawn during an upload. */
export async function requireMayContinue(
  storage: StorageParts,
  c: Context,
  upload: ResumableUpload,
): Promise<void> {
  if (upload.createdBy === 'signed') return
  await requireMayWrite(storage, { c, operation: 'storage.tus.upload.part' }, upload)
}

async function requireSignature(
  { addresses }: StorageParts,
  c: Context,
  { bucket, path }: ObjectAddress,
): Promise<SignedAddress> {
  const token = c.req.header('x-signature')
  if (!token) throw new StorageError('InvalidRequest', 'Missing x-signature header')
  return addresses.verify(token, { url: `${bucket}/${path}`, purpose: 'upload' })
}
