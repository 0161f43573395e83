import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'

import { answerResumableError, fromDatabase, StorageError } from '../errors.ts'
import type { StorageParts } from '../parts.ts'
import { mayBeAccepted } from '../uploads/content-sniffer.ts'
import { requireBucketRules } from '../uploads/store-upload.ts'
import { type Access, requireBeginner, requireMayBegin, requireMayContinue } from './beginner.ts'
import { boundedBytes } from './bytes.ts'
import { finishUpload, removeUpload } from './finish-upload.ts'
import { createTurns, type TakeTurn } from './turns.ts'
import { parseUploadMetadata } from './upload-metadata.ts'
import { beginUpload, partKey, requireUpload, type ResumableUpload } from './upload-row.ts'

const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,termination,expiration'
const PART_TYPE = 'application/offset+octet-stream'

interface ResumableParts {
  storage: StorageParts
  takeTurn: TakeTurn
  log: { error(fields: object, message: string): void }
}

/**
 * `/upload/resumable`: uploads that continue after a lost connection, by TUS 1.0.0 (https://tus.io/protocols/resumable-upload).
 * Below `/sign` a signed token of one file takes the place of keys and policies.
 */
export function createResumable(storage: StorageParts, log: ResumableParts['log']): Hono {
  const parts: ResumableParts = { storage, takeTurn: createTurns(), log }
  const app = new Hono()
  app.use('*', speakTus())
  app.options('*', (c) => capabilities(storage, c))
  for (const [prefix, isSigned] of [
    ['/sign', true],
    ['', false],
  ] as const) {
    app.post(prefix || '/', (c) => begin(parts, c, { isSigned }))
    app.patch(`${prefix}/:id`, (c) => receive(parts, c, { isSigned }))
    // Answers HEAD as well; a GET has nothing to show.
    app.get(`${prefix}/:id`, (c) => tell(parts, c, { isSigned }))
    app.delete(`${prefix}/:id`, (c) => cancel(parts, c, { isSigned }))
    app.post(`${prefix}/:id`, (c) => byOverride(parts, c, { isSigned }))
  }
  app.onError((error, c) => {
    const known = error instanceof StorageError ? error : fromDatabase(error)
    if (!known) log.error({ err: error, path: c.req.path }, 'a resumable upload failed')
    return answerResumableError(known ?? new StorageError('InternalError'))
  })
  return app
}

/** The version that is spoken, named in each answer and demanded of each request but OPTIONS. */
function speakTus() {
  return createMiddleware(async (c, next) => {
    const isSpoken = c.req.method === 'OPTIONS' || c.req.header('tus-resumable') === VERSION
    if (isSpoken) await next()
    else {
      c.res = answerResumableError(new StorageError('UnsupportedVersion'))
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

/** POST: begins an upload; a body of parts is its beginning. */
async function begin(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const { storage } = parts
  const size = requireCount(c, 'Upload-Length')
  const uploadMetadata = c.req.header('upload-metadata')
  const { bucket, path, facts } = parseUploadMetadata(uploadMetadata)
  const { limit, allowed } = await requireBucketRules(storage, bucket)
  if (size > limit) throw new StorageError('EntityTooLarge')
  if (!mayBeAccepted(facts.contentType, allowed))
    throw new StorageError('InvalidMimeType', `mime type ${facts.contentType} is not supported`)
  const admitted = await requireMayBegin(storage, c, { bucket, path, ...access })
  const { secret, upload } = await beginUpload(
    storage.database.owner,
    { ...admitted, bucket, path, size, uploadMetadata: uploadMetadata ?? '' },
    storage.unfinished,
  )

  const hasPart = c.req.header('content-type') === PART_TYPE
  const offset = await parts.takeTurn(upload.id, (stopped) =>
    hasPart ? append(storage, c, { upload, offset: 0, stopped }) : settle(storage, upload, 0),
  )
  return c.body(null, 201, {
    Location: `${c.req.path.replace(/\/$/, '')}/${secret}`,
    ...(hasPart && { 'Upload-Offset': String(offset) }),
    ...expiry(upload, offset),
  })
}

/** PATCH: the next part. */
async function receive(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const { storage } = parts
  if (c.req.header('content-type') !== PART_TYPE)
    throw new StorageError('InvalidMimeType', `Content-Type must be ${PART_TYPE}`)
  const offset = requireCount(c, 'Upload-Offset')
  return onUpload(parts, c, access, async (upload, stopped) => {
    const known = await arrived(storage, upload)
    if (offset !== known) throw new StorageError('OffsetConflict')
    if (upload.isFinished) return c.body(null, 204, { 'Upload-Offset': String(known) })
    await requireMayContinue(storage, c, upload)
    const after = await append(storage, c, { upload, offset, stopped })
    return c.body(null, 204, { 'Upload-Offset': String(after), ...expiry(upload, after) })
  })
}

/** HEAD: how much has arrived. */
async function tell(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const { storage } = parts
  if (c.req.method !== 'HEAD') throw new StorageError('NoSuchRoute')
  return onUpload(parts, c, access, async (upload) => {
    const known = await arrived(storage, upload)
    // All bytes are there, but the process ended before it stored the file: a client takes a full offset for success.
    if (known === upload.size && !upload.isFinished) await requireMayContinue(storage, c, upload)
    const offset = await settle(storage, upload, known)
    return c.body(null, 200, {
      'Upload-Offset': String(offset),
      'Upload-Length': String(upload.size),
      'Upload-Metadata': upload.uploadMetadata,
      ...expiry(upload, offset),
    })
  })
}

/** DELETE: the caller has given up; a finished file is removed as any other file. */
async function cancel(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  return onUpload(parts, c, access, async (upload) => {
    if (upload.isFinished) throw new StorageError('InvalidRequest', 'The upload is finished')
    await removeUpload(parts.storage, upload)
    return c.body(null, 204)
  })
}

/** POST in the place of another method, for clients behind proxies that let only GET and POST through. */
async function byOverride(parts: ResumableParts, c: Context, access: Access): Promise<Response> {
  const method = c.req.header('x-http-method-override')
  if (method === 'PATCH') return receive(parts, c, access)
  if (method === 'DELETE') return cancel(parts, c, access)
  throw new StorageError('NoSuchRoute')
}

/** Alone with the upload, once it is known to be the caller's. */
// oxlint-disable-next-line max-params -- what is given to every handler, and what is done
async function onUpload(
  { storage, takeTurn }: ResumableParts,
  c: Context,
  access: Access,
  work: (upload: ResumableUpload, stopped: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const secret = c.req.param('id') ?? ''
  const find = () => requireUpload(storage.database.owner, secret)
  const upload = await find()
  await requireBeginner(storage, c, { ...access, upload })
  // Read again: the request before may have finished or removed it.
  return takeTurn(upload.id, async (stopped) => work(await find(), stopped))
}

async function arrived({ disk }: StorageParts, { id, size, isFinished }: ResumableUpload): Promise<number> {
  return isFinished ? size : ((await disk.find(partKey(id)))?.size ?? 0)
}

interface Part {
  upload: ResumableUpload
  offset: number
  stopped: AbortSignal
}

/** Keeps what arrives, also when it breaks off, and returns how much has arrived in all. */
async function append(storage: StorageParts, c: Context, { upload, offset, stopped }: Part): Promise<number> {
  const most = upload.size - offset
  if (Number(c.req.header('content-length') ?? 0) > most) throw new StorageError('EntityTooLarge')
  const bytes = boundedBytes(c.req.raw.body, { most, stopped })
  await storage.disk.append(partKey(upload.id), bytes, offset)
  return settle(storage, upload, await arrived(storage, upload))
}

/** Stores the file once its last byte has arrived. */
async function settle(storage: StorageParts, upload: ResumableUpload, offset: number): Promise<number> {
  if (offset === upload.size && !upload.isFinished) await finishUpload(storage, upload)
  return offset
}

function expiry({ expiresAt, size }: ResumableUpload, offset: number): Record<string, string> {
  return offset === size ? {} : { 'Upload-Expires': expiresAt.toUTCString() }
}

function requireCount(c: Context, name: string): number {
  const text = c.req.header(name) ?? ''
  const count = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(count))
    throw new StorageError('InvalidRequest', `Invalid ${name} header`)
  return count
}
