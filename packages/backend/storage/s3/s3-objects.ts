import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type MultipartUpload,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { LRUCache } from 'lru-cache'

import { StorageError } from '../errors.ts'
import type { FileStore, StoredFile } from '../files/file-store.ts'
import { type Bucket, PROMPT } from './bucket.ts'
import { isFromServer, isMissing } from './s3-problem.ts'

export type S3Objects = Pick<
  FileStore,
  'find' | 'keys' | 'list' | 'read' | 'remove' | 'removeFolder' | 'sweepUnfinished' | 'write'
>

/** Each running upload holds a few parts in memory. */
const PART_BYTES = 5 * 1024 * 1024
const PARTS_AT_ONCE = 1
const REMOVALS_AT_ONCE = 8
/** Another process may have removed what was found: it is asked for again after this time. */
const FOUND_TTL_MS = 60_000
const FOUND_FILES = 20_000

/** The objects of a bucket as files. */
export function s3Objects(bucket: Bucket): S3Objects {
  const { request } = bucket
  const Bucket = bucket.settings.bucket
  const found = new LRUCache<string, StoredFile>({ max: FOUND_FILES, ttl: FOUND_TTL_MS })

  async function* list(folder: string): AsyncGenerator<StoredFile> {
    const pages = paginateListObjectsV2({ client: bucket.client }, { Bucket, Prefix: `${folder}/` }, PROMPT)
    for (;;) {
      const { value: page, done } = await request(() => pages.next())
      if (done) return
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
        yield { key: Key, size: Size, storedAt: LastModified }
    }
  }

  async function remove(key: string): Promise<void> {
    found.delete(key)
    await request((client) => client.send(new DeleteObjectCommand({ Bucket, Key: key }), PROMPT))
  }

  return {
    list,
    remove,

    async find(key) {
      const known = found.get(key)
      if (known) return known
      const head = await request((client) =>
        client.send(new HeadObjectCommand({ Bucket, Key: key }), PROMPT).catch(nullIfMissing),
      )
      if (!head) return null
      const file = { key, size: head.ContentLength ?? 0, storedAt: head.LastModified ?? new Date(0) }
      found.set(key, file)
      return file
    },

    async *keys(folder) {
      for await (const { key } of list(folder)) yield key
    },

    async read(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const answer = await request((client) =>
        client.send(new GetObjectCommand({ Bucket, Key: key, Range }), PROMPT).catch(nullIfEmpty),
      )
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's type leaves out what it yields
      return (answer?.Body?.transformToWebStream() ?? new Blob([]).stream()) as ReadableStream<Uint8Array>
    },

    async write(key, content, headers) {
      const target = {
        Bucket,
        Key: key,
        ContentType: headers?.contentType,
        CacheControl: headers?.cacheControl,
      }
      await request(async (client) => {
        if (content instanceof Uint8Array)
          return client.send(new PutObjectCommand({ ...target, Body: content }))
        const params = { ...target, Body: Readable.from(content, { objectMode: false }) }
        return new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }).done()
      })
    },

    async removeFolder(folder) {
      // One by one: not every server has a request for many.
      let batch: Promise<void>[] = []
      for await (const { key } of list(folder)) {
        batch.push(remove(key))
        if (batch.length < REMOVALS_AT_ONCE) continue
        await Promise.all(batch)
        batch = []
      }
      await Promise.all(batch)
    },

    async sweepUnfinished(before) {
      for await (const { Key, UploadId, Initiated } of unfinishedUploads(bucket)) {
        if (!Initiated || Initiated >= before) continue
        await request((client) =>
          client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), PROMPT),
        )
      }
    },
  }
}

async function* unfinishedUploads({ request, settings }: Bucket): AsyncGenerator<MultipartUpload> {
  const input: ListMultipartUploadsCommandInput = { Bucket: settings.bucket }
  for (let isMore = true; isMore;) {
    const page = await request((client) => client.send(new ListMultipartUploadsCommand(input), PROMPT))
    yield* page.Uploads ?? []
    input.KeyMarker = page.NextKeyMarker
    input.UploadIdMarker = page.NextUploadIdMarker
    isMore = page.IsTruncated ?? false
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

/** A range of an empty file is no error for the service. */
function nullIfEmpty(error: unknown): null {
  if (isMissing(error)) throw new StorageError('NoSuchKey', undefined, { cause: error })
  if (isFromServer(error) && error.name === 'InvalidRange') return null
  throw error
}
