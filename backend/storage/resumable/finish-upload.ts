import { fromDatabase, StorageError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'
import { requireBucketRules, storeFile } from '../uploads/store-upload.ts'
import { parseUploadMetadata } from './upload-metadata.ts'
import { forgetUpload, markFinished, partKey, type ResumableUpload } from './upload-row.ts'

/**
 * Stores the bytes that have arrived as the file they are meant to be, by the same path as a plain upload: size, type, checksum
 * and row are decided there. An upload that is refused there can never succeed and is removed.
 */
export async function finishUpload(storage: StorageParts, upload: ResumableUpload): Promise<void> {
  try {
    const store = () => storeParts(storage, upload)
    await (storage.guardFinish ? storage.guardFinish(upload, store) : store())
  } catch (error) {
    const refusal = error instanceof StorageError ? error : fromDatabase(error)
    if (!refusal) throw error
    await removeUpload(storage, upload)
    throw refusal
  }
  // After the commit: bytes without a row are swept, a row without bytes would be a loss.
  await storage.disk.remove(partKey(upload.id))
}

async function storeParts(storage: StorageParts, upload: ResumableUpload): Promise<void> {
  const { facts } = parseUploadMetadata(upload.uploadMetadata)
  await storeFile(storage, {
    target: upload,
    rules: await requireBucketRules(storage, upload.bucket),
    read: async (store) => ({ stored: await store(partsOf(storage, upload), facts.contentType), facts }),
    along: (client) => markFinished(client, upload),
  })
}

/** An empty file has no part on the disk. */
async function* partsOf({ disk }: StorageParts, { id, size }: ResumableUpload): AsyncGenerator<Uint8Array> {
  if (size > 0) yield* disk.read(partKey(id))
}

/** The row first: bytes without one are swept. */
export async function removeUpload(storage: StorageParts, upload: ResumableUpload): Promise<void> {
  await forgetUpload(storage.database.owner, upload)
  await storage.disk.remove(partKey(upload.id))
}
