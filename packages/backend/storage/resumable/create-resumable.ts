import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'

import { resumableErrorResponse, storageErrorFrom, StorageError, temporaryError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'
import { mayBeAccepted } from '../uploads/content-sniffer.ts'
import { requireBucketRules } from '../uploads/bucket-rules.ts'
import { type Access, requireUploadCreator, requireMayCreate, requireMayContinue } from './upload-access.ts'
import { boundedBytes } from './bounded-bytes.ts'
import { finishUpload, removeUpload } from './finish-upload.ts'
import { createUploadLocks, type WithUploadLock } from './upload-locks.ts'
import { parseUploadMetadata } from './upload-metadata.ts'
import { createUpload, requireUpload, type ResumableUpload } from './upload-row.ts'
import type { Log } from '#backend/process/log.ts'

const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,termination,expiration'
const PART_TYPE = 'application/offset+octet-stream'

interface ResumableParts {
  storage: StorageParts
  withUploadLock: WithUploadLock
  log: Pick<Log, 'error'>
}

/**
 * Returns the app for `/upload/resumable`, which follows TUS 1.0.0 (https://tus.io/protocols/resumable-upload). Below `/sign`, a
 * signed token for one file replaces keys and policies.
 */
export function createResumable(storage: StorageParts, log: ResumableParts['log']): Hono {
  const parts: ResumableParts = { storage, withUploadLock: createUploadLocks(storage.database.owner), log }
  const app = new Hono()
  app.use('*', requireTusVersion())
  app.options('*', (c) => capabilities(storage, c))
  for (const [prefix, isSigned] of [
    ['/sign', true],
    ['', false],
  ] as const) {
    app.post(prefix || '/', (c) => create(parts, c, { isSigned }))
    app.patch(`${prefix}/:id`, (c) => receive(parts, c, { isSigned }))
    // Hono routes HEAD requests to GET handlers.
    app.get(`${prefix}/:id`, (c) => reportOffset(parts, c, { isSigned }))
    app.delete(`${prefix}/:id`, (c) => cancel(parts, c, { isSigned }))
    app.post(`${prefix}/:id`, (c) => overrideMethod(parts, c, { isSigned }))
  }
  app.onError((error, c) => {
    const known = error instanceof StorageError ? error : storageErrorFrom(error)
    if (!known) log.error({ err: error, path: c.req.path }, 'Resumable upload failed')
    return resumableErrorResponse(known ?? temporaryError(error) ?? new StorageError('InternalError'))
  })
  return app
}

/** TUS requires the version header in every request except OPTIONS and in every response. */
function requireTusVersion() {
  return createMiddleware(async (c, next) => {
    const isSupported = c.req.method === 'OPTIONS' || c.req.header('tus-resumable') === VERSION
    if (isSupported) await next()
    else {
      c.res = resumableErrorResponse(new StorageError('UnsupportedVersion'))
      c.res.headers.set('Tus-Version', VERSION)
    }
    c.res.headers.set('Tus-Resumable', VERSION)
    c.res.headers.set('Cache-Control', 'no-store')
  })
}

function capabilities({ maxFileBytes }: StorageParts, c: Context): Response {
  return c.body(null, 204, {
    'Tus-Version': VERSION,
    'Tus-Extension': EXTENSIONS,
    'Tus-Max-Size': String(maxFileBytes),
  })
}

/** POST creates an upload; the body may contain its first part. */
async function create(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const { storage } = parts
  await storage.files.requireSpace()
  const size = requireCount(c, 'Upload-Length')
  const uploadMetadata = c.req.header('upload-metadata')
  const { bucket, path, attributes } = parseUploadMetadata(uploadMetadata)
  const { limit, allowed } = await requireBucketRules(storage, bucket)
  if (size > limit) throw new StorageError('EntityTooLarge')
  if (!mayBeAccepted(attributes.contentType, allowed))
    throw new StorageError('InvalidMimeType', `mime type ${attributes.contentType} is not supported`)
  const admitted = await requireMayCreate(storage, c, { bucket, path, ...access })
  const { secret, upload } = await createUpload(
    storage.database.owner,
    { ...admitted, bucket, path, size, uploadMetadata: uploadMetadata ?? '' },
    storage.unfinished,
  )

  const hasPart = c.req.header('content-type') === PART_TYPE
  const offset = await parts.withUploadLock(upload.id, (signal) =>
    hasPart ? append(storage, c, { upload, offset: 0, signal }) : finishIfComplete(storage, upload, 0),
  )
  return c.body(null, 201, {
    Location: `${c.req.path.replace(/\/$/, '')}/${secret}`,
    ...(hasPart && { 'Upload-Offset': String(offset) }),
    ...expiryHeaders(upload, offset),
  })
}

/** PATCH appends the next part. */
async function receive(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const { storage } = parts
  if (c.req.header('content-type') !== PART_TYPE)
    throw new StorageError('InvalidMimeType', `Content-Type must be ${PART_TYPE}`)
  const offset = requireCount(c, 'Upload-Offset')
  return withUpload(parts, c, access, async (upload, signal) => {
    const known = await receivedBytes(storage, upload)
    if (offset !== known) throw new StorageError('OffsetConflict')
    if (upload.isFinished) return c.body(null, 204, { 'Upload-Offset': String(known) })
    await requireMayContinue(storage, c, upload)
    const after = await append(storage, c, { upload, offset, signal })
    return c.body(null, 204, { 'Upload-Offset': String(after), ...expiryHeaders(upload, after) })
  })
}

/** HEAD returns the number of received bytes. */
async function reportOffset(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const { storage } = parts
  if (c.req.method !== 'HEAD') throw new StorageError('NoSuchRoute')
  return withUpload(parts, c, access, async (upload) => {
    const known = await receivedBytes(storage, upload)
    // The process ended after the last byte and before it stored the file. Store it now: clients treat a full offset as success.
    if (known === upload.size && !upload.isFinished) await requireMayContinue(storage, c, upload)
    const offset = await finishIfComplete(storage, upload, known)
    return c.body(null, 200, {
      'Upload-Offset': String(offset),
      'Upload-Length': String(upload.size),
      'Upload-Metadata': upload.uploadMetadata,
      ...expiryHeaders(upload, offset),
    })
  })
}

/** DELETE cancels an unfinished upload; a finished file is removed through `/object`. */
async function cancel(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  return withUpload(parts, c, access, async (upload) => {
    if (upload.isFinished) throw new StorageError('InvalidRequest', 'The upload is finished')
    await removeUpload(parts.storage, upload)
    return c.body(null, 204)
  })
}

/** POST with `X-HTTP-Method-Override`, for clients behind proxies that block PATCH and DELETE. */
async function overrideMethod(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const method = c.req.header('x-http-method-override')
  if (method === 'PATCH') return receive(parts, c, access)
  if (method === 'DELETE') return cancel(parts, c, access)
  throw new StorageError('NoSuchRoute')
}

/** Runs `work` with a lock on the upload after checking that it belongs to the caller. */
// oxlint-disable-next-line max-params -- the parameters of every handler, and the work
async function withUpload(
  { storage, withUploadLock }: ResumableParts,
  c: Context,
  access: Access,
  work: (upload: ResumableUpload, signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const secret = c.req.param('id') ?? ''
  const find = () => requireUpload(storage.database.owner, secret)
  const upload = await find()
  await requireUploadCreator(storage, c, { ...access, upload })
  // Reads the row again inside the lock: the previous holder may have finished or removed the upload.
  return withUploadLock(upload.id, async (signal) => work(await find(), signal))
}

async function receivedBytes(
  { files }: StorageParts,
  { id, size, isFinished }: ResumableUpload,
): Promise<number> {
  return isFinished ? size : files.partial.size(id)
}

/** Returns the total number of received bytes. Keeps the bytes of a request that breaks off. */
async function append(
  storage: StorageParts,
  c: Context,
  { upload, offset, signal }: { upload: ResumableUpload; offset: number; signal: AbortSignal },
): Promise<number> {
  const maxBytes = upload.size - offset
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw new StorageError('EntityTooLarge')
  await storage.files.requireSpace()
  const bytes = boundedBytes(c.req.raw.body, { maxBytes, signal })
  await storage.files.partial.append(upload.id, bytes, offset)
  return finishIfComplete(storage, upload, await receivedBytes(storage, upload))
}

async function finishIfComplete(
  storage: StorageParts,
  upload: ResumableUpload,
  offset: number,
): Promise<number> {
  if (offset === upload.size && !upload.isFinished) await finishUpload(storage, upload)
  return offset
}

function expiryHeaders({ expiresAt, size }: ResumableUpload, offset: number): Record<string, string> {
  return offset === size ? {} : { 'Upload-Expires': expiresAt.toUTCString() }
}

function requireCount(c: Context, name: string): number {
  const text = c.req.header(name) ?? ''
  const count = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(count))
    throw new StorageError('InvalidRequest', `Invalid ${name} header`)
  return count
}
