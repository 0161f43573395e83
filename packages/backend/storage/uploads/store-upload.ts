import { createHash, randomUUID } from 'node:crypto'
import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { objectKey, type ObjectAddress, type ObjectMetadata } from '../objects/object-row.ts'
import { discardContent } from '../objects/remove-content.ts'
import type { StorageParts } from '../parts.ts'
import { type BucketRules, requireBucketRules } from './bucket-rules.ts'
import { acceptedType, SNIFFED_BYTES } from './content-sniffer.ts'
import { readUpload, type StoreUpload, type Upload } from './read-upload.ts'
import { type InSameTransaction, writeObject } from './write-object.ts'

export interface UploadTarget extends ObjectAddress {
  isUpsert: boolean
  owner: string | null
}

/** Stores the body of a POST or PUT request. */
export async function storeUpload(
  storage: StorageParts,
  c: Context,
  target: UploadTarget,
): Promise<{ id: string }> {
  await storage.files.requireSpace()
  const rules = await requireBucketRules(storage, target.bucket)
  if (Number(c.req.header('content-length') ?? 0) > rules.limit + FORM_OVERHEAD_BYTES)
    throw new StorageError('EntityTooLarge')
  return storeFile(storage, { target, rules, read: (store) => readUpload(c, store) })
}

interface FileToStore {
  target: UploadTarget
  rules: BucketRules
  /** Streams the bytes to `store`. */
  read: (store: StoreUpload<StoredContent>) => Promise<Upload<StoredContent>>
  inSameTransaction?: InSameTransaction
}

/** Writes the bytes, then the row. Removes the bytes when either fails. */
export async function storeFile(
  storage: StorageParts,
  { target, rules, read, inSameTransaction }: FileToStore,
): Promise<{ id: string }> {
  const version = randomUUID()
  try {
    const { stored, attributes } = await read((content, contentType) =>
      storeContent(storage, version, { content, contentType, ...rules }),
    )
    const metadata: ObjectMetadata = {
      eTag: stored.eTag,
      size: stored.size,
      mimetype: stored.type,
      cacheControl: attributes.cacheControl,
      lastModified: new Date().toISOString(),
      contentLength: stored.size,
      httpStatusCode: 200,
    }
    const object = { ...target, version, metadata, userMetadata: attributes.userMetadata }
    return await writeObject(storage, object, inSameTransaction)
  } catch (error) {
    await discardContent(storage, version)
    throw error
  }
}

/** Allowance for boundaries and fields around the file. */
const FORM_OVERHEAD_BYTES = 256 * 1024

interface Incoming extends BucketRules {
  content: AsyncIterable<Uint8Array>
  contentType: string
}

interface StoredContent {
  size: number
  eTag: string
  type: string
}

async function storeContent(
  { files }: StorageParts,
  version: string,
  { content, contentType, limit, allowed }: Incoming,
): Promise<StoredContent> {
  const digest = createHash('md5')
  let size = 0
  let start = Buffer.alloc(0)
  let type: string | null = null

  function decideType(): void {
    type = acceptedType(contentType, start, allowed)
    if (!type) throw new StorageError('InvalidMimeType', `mime type ${contentType} is not supported`)
  }

  async function* checked() {
    for await (const chunk of content) {
      size += chunk.byteLength
      if (size > limit) throw new StorageError('EntityTooLarge')
      digest.update(chunk)
      if (start.length < SNIFFED_BYTES) start = Buffer.concat([start, chunk.subarray(0, SNIFFED_BYTES)])
      if (!type && start.length >= SNIFFED_BYTES) decideType()
      yield chunk
    }
    if (!type) decideType()
  }

  await files.write(objectKey(version), checked())
  return { size, eTag: `"${digest.digest('hex')}"`, type: type ?? contentType }
}
