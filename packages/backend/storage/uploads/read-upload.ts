import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { Context } from 'hono'

import { parseJson } from '#backend/http/body.ts'
import { StorageError } from '../errors.ts'
import { requireHeaderValue } from '../request.ts'

export interface UploadAttributes {
  contentType: string
  cacheControl: string
  userMetadata: Record<string, unknown> | null
}

export const DEFAULT_TYPE = 'application/octet-stream'
export const NO_CACHE = 'no-cache'
const FIELD_LIMIT_BYTES = 64 * 1024

export type StoreUpload<T> = (content: AsyncIterable<Uint8Array>, contentType: string) => Promise<T>

export interface Upload<T> {
  stored: T
  attributes: UploadAttributes
}

/**
 * Streams the file to `store`, whether it is the whole body or a part of a form, without buffering it. Form fields may follow
 * the file, so the attributes are complete only afterwards.
 */
export async function readUpload<T>(c: Context, store: StoreUpload<T>): Promise<Upload<T>> {
  const source = wrapReadErrors(c.req.raw.body ?? noBytes())
  const type = c.req.header('content-type') ?? DEFAULT_TYPE
  if (type.startsWith('multipart/form-data')) return readForm(source, type, store)

  const attributes = {
    contentType: requireType(type),
    cacheControl: requireHeaderValue(c.req.header('cache-control') ?? NO_CACHE, 'cache-control'),
    userMetadata: parseUserMetadata(Buffer.from(c.req.header('x-metadata') ?? '', 'base64').toString()),
  }
  return { stored: await store(source, attributes.contentType), attributes }
}

interface FilePart<T> {
  stream: Readable
  stored: Promise<T>
  contentType: string
}

async function readForm<T>(
  source: AsyncIterable<Uint8Array>,
  type: string,
  store: StoreUpload<T>,
): Promise<Upload<T>> {
  const fields = new Map<string, string>()
  const form = openForm(type)
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  let file: FilePart<T> | undefined
  form.on('field', (name, value) => fields.set(name, value))
  form.on('file', (...[, stream, , , contentType]) => {
    // The reader receives the first error; a second `error` event without a listener would end the process.
    stream.on('error', () => undefined)
    if (file || !isType(contentType)) return void stream.resume()
    file = { stream, contentType, stored: store(wrapReadErrors(stream), contentType) }
    file.stored.catch(fail)
  })
  form.on('error', () => fail(brokenUpload()))

  try {
    await Promise.race([writeForm(form, source, () => file?.stored), failure])
  } catch (error) {
    // Without this, `stored` would wait forever for the rest of the part and leave half a file on the disk.
    file?.stream.destroy()
    await file?.stored.catch(() => undefined)
    throw error
  }
  if (!file) throw new StorageError('InvalidRequest', 'The form contains no file')
  const cacheControl = fields.get('cacheControl')
  return {
    stored: await file.stored,
    attributes: {
      contentType: file.contentType,
      cacheControl: requireHeaderValue(cacheControl ? `max-age=${cacheControl}` : NO_CACHE, 'cacheControl'),
      userMetadata: parseUserMetadata(fields.get('metadata') ?? ''),
    },
  }
}

/** Respects the backpressure of `store`. */
async function writeForm(
  form: BusboyInstance,
  source: AsyncIterable<Uint8Array>,
  fileStored: () => Promise<unknown> | undefined,
): Promise<void> {
  for await (const chunk of source) {
    if (!form.write(chunk)) await waitForEvent(form, 'drain', fileStored())
  }
  form.end()
  await waitForEvent(form, 'finish', fileStored())
}

/**
 * The parser only waits for the file that is being stored. If the event has not fired some event loop turns after the file is
 * stored, it never will: the parser stalls at a large part that no listener consumes.
 */
async function waitForEvent(
  form: BusboyInstance,
  event: string,
  fileStored: Promise<unknown> | undefined,
): Promise<void> {
  const happened = once(form, event)
  const isNext = await Promise.race([happened.then(() => true), fileStored?.then(() => false) ?? false])
  if (!isNext) await Promise.race([happened, failAfterTurns()])
}

const TURNS = 10

async function failAfterTurns(): Promise<never> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn()
  throw brokenUpload()
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function* wrapReadErrors(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    throw brokenUpload(cause)
  }
}

/** An error of the client or the network; it is not logged. */
export function brokenUpload(cause?: unknown): StorageError {
  return new StorageError('InvalidRequest', 'The upload broke off or is not a form', { cause })
}

function openForm(type: string) {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { fields: 20, fieldSize: FIELD_LIMIT_BYTES },
    })
  } catch (cause) {
    throw new StorageError('InvalidRequest', 'The form cannot be read', { cause })
  }
}

function isType(type: string): boolean {
  return /^[\w.+-]+\/[\w.+-]+\s*(;[\x20-\x7e]*)?$/.test(type)
}

export function requireType(type: string): string {
  if (!isType(type)) throw new StorageError('InvalidMimeType', `Invalid mime type: ${type}`)
  return requireHeaderValue(type, 'content-type')
}

export function parseUserMetadata(text: string): Record<string, unknown> | null {
  if (text === '') return null
  const metadata = parseJson(text)
  if (typeof metadata === 'object' && metadata !== null && !/\\u0000/.test(text) && text.isWellFormed()) {
    return { ...metadata }
  }
  throw new StorageError('InvalidRequest', 'The metadata is not a JSON object')
}
