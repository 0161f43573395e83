import { createHash, randomUUID } from 'node:crypto'
import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { objectKey, type ObjectAddress, type ObjectMetadata } from '../objects/object-row.ts'
import { removeContent } from '../objects/remove-objects.ts'
import type { StorageParts } from '../parts.ts'
import { acceptedType, SNIFFED_BYTES } from './content-sniffer.ts'
import { readUpload } from './read-upload.ts'
import { writeObject } from './write-object.ts'

export interface UploadTarget extends ObjectAddress {
  isUpsert: boolean
  owner: string | null
}

/** Bytes to the disk, then the row. Whatever goes wrong on the way, neither is left. */
export async function storeUpload(
  storage: StorageParts,
  c: Context,
  target: UploadTarget,
): Promise<{ id: string }> {
  const bucket = await requireBucket(storage, target.bucket)
  const limit = Math.min(bucket.file_size_limit ?? Infinity, storage.maxFileBytes)
  if (Number(c.req.header('content-length') ?? 0) > limit + FORM_OVERHEAD_BYTES)
    throw new StorageError('EntityTooLarge')

  const version = randomUUID()
  try {
    const { stored, facts } = await readUpload(c, (content, contentType) =>
      storeContent(storage, version, { content, contentType, limit, allowed: bucket.allowed_mime_types }),
    )
    const metadata: ObjectMetadata = {
      eTag: stored.eTag,
      size: stored.size,
      mimetype: stored.type,
      cacheControl: facts.cacheControl,
      lastModified: new Date().toISOString(),
      contentLength: stored.size,
      httpStatusCode: 200,
    }
    return await writeObject(storage, { ...target, version, metadata, userMetadata: facts.userMetadata })
  } catch (error) {
    await removeContent(storage, version)
    throw error
  }
}

/** A form is a little longer than the file in it. */
const FORM_OVERHEAD_BYTES = 256 * 1024

interface Bucket {
  file_size_limit: number | null
  allowed_mime_types: string[] | null
}

async function requireBucket({ database }: StorageParts, id: string): Promise<Bucket> {
  const { rows } = await database.owner.query<Bucket>(
    'select file_size_limit::float8 as file_size_limit, allowed_mime_types from storage.buckets where id = $1',
    [id],
  )
  if (!rows[0]) throw new StorageError('NoSuchBucket')
  return rows[0]
}

interface Incoming {
  content: AsyncIterable<Uint8Array>
  contentType: string
  limit: number
  allowed: string[] | null
}

async function storeContent(
  { disk }: StorageParts,
  version: string,
  { content, contentType, limit, allowed }: Incoming,
) {
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

  await disk.write(objectKey(version), checked())
  return { size, eTag: `"${digest.digest('hex')}"`, type: type ?? contentType }
}
