import { isTemporary, storageErrorFrom, StorageError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'
import { requireBucketRules } from '../uploads/bucket-rules.ts'
import { storeFile } from '../uploads/store-upload.ts'
import { parseUploadMetadata } from './upload-metadata.ts'
import { deleteUploadRow, markFinished, type ResumableUpload } from './upload-row.ts'

/**
 * Stores the received bytes through the same path as a plain upload, which checks size and type and writes the row. Removes an
 * upload that this path refuses, unless a retry may succeed.
 */
export async function finishUpload(storage: StorageParts, upload: ResumableUpload): Promise<void> {
  try {
    const store = () => storeParts(storage, upload)
    await (storage.guardFinish ? storage.guardFinish(upload, store) : store())
  } catch (error) {
    const refusal = error instanceof StorageError ? error : storageErrorFrom(error)
    if (!refusal || isTemporary(refusal)) throw error
    await removeUpload(storage, upload)
    throw refusal
  }
  // Removes the parts after the commit: the sweep cleans up bytes without a row, but a row without bytes is data loss.
  await storage.files.partial.remove(upload.id)
}

async function storeParts(storage: StorageParts, upload: ResumableUpload): Promise<void> {
  const { attributes } = parseUploadMetadata(upload.uploadMetadata)
  await storeFile(storage, {
    target: upload,
    rules: await requireBucketRules(storage, upload.bucket),
    read: async (store) => ({
      stored: await store(partsOf(storage, upload), attributes.contentType),
      attributes,
    }),
    inSameTransaction: (client) => markFinished(client, upload),
  })
}

/** An empty file has no stored parts. */
async function* partsOf({ files }: StorageParts, { id, size }: ResumableUpload): AsyncGenerator<Uint8Array> {
  if (size > 0) yield* files.partial.read(id)
}

/** Deletes the row first, because the sweep removes bytes without a row. */
export async function removeUpload(storage: StorageParts, upload: ResumableUpload): Promise<void> {
  await deleteUploadRow(storage.database.owner, upload)
  await storage.files.partial.remove(upload.id)
}
