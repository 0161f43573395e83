import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { Context } from 'hono'

import { StorageError } from '../errors.ts'
import { requireHeaderValue } from '../request.ts'

/** What comes with the bytes. */
export interface UploadFacts {
  contentType: string
  cacheControl: string
  userMetadata: Record<string, unknown> | null
}

export const DEFAULT_TYPE = 'application/octet-stream'
export const NO_CACHE = 'no-cache'
const FIELD_LIMIT_BYTES = 64 * 1024

/** Takes the bytes as they come. */
export type Store<T> = (content: AsyncIterable<Uint8Array>, contentType: string) => Promise<T>

export interface Upload<T> {
  stored: T
  facts: UploadFacts
}

/**
 * Hands the file's bytes to `store` while they arrive, whether they are the whole body or a part of a form; nothing is
 * collected in memory. What a form says beside the file may come after it.
 */
export async function readUpload<T>(c: Context, store: Store<T>): Promise<Upload<T>> {
  const source = unbroken(c.req.raw.body ?? noBytes())
  const type = c.req.header('content-type') ?? DEFAULT_TYPE
  if (type.startsWith('multipart/form-data')) return readForm(source, type, store)

  const facts = {
    contentType: requireType(type),
    cacheControl: requireHeaderValue(c.req.header('cache-control') ?? NO_CACHE, 'cache-control'),
    userMetadata: parseUserMetadata(Buffer.from(c.req.header('x-metadata') ?? '', 'base64').toString()),
  }
  return { stored: await store(source, facts.contentType), facts }
}

interface FilePart<T> {
  stream: Readable
  stored: Promise<T>
  contentType: string
}

async function readForm<T>(
  source: AsyncIterable<Uint8Array>,
  type: string,
  store: Store<T>,
): Promise<Upload<T>> {
  const fields = new Map<string, string>()
  const form = openForm(type)
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  let file: FilePart<T> | undefined
  form.on('field', (name, value) => fields.set(name, value))
  form.on('file', (...[, stream, , , contentType]) => {
    // Whoever reads hears of it; emitted again after that, it would end the process.
    stream.on('error', () => undefined)
    if (file || !isType(contentType)) return void stream.resume()
    file = { stream, contentType, stored: store(unbroken(stream), contentType) }
    file.stored.catch(fail)
  })
  form.on('error', () => fail(broken()))

  try {
    await Promise.race([feed(form, source, () => file?.stored), failure])
  } catch (error) {
    // The part would wait for the rest of itself for ever, with half a file on the disk.
    file?.stream.destroy()
    await file?.stored.catch(() => undefined)
    throw error
  }
  if (!file) throw new StorageError('InvalidRequest', 'The form holds no file')
  const cacheControl = fields.get('cacheControl')
  return {
    stored: await file.stored,
    facts: {
      contentType: file.contentType,
      cacheControl: requireHeaderValue(cacheControl ? `max-age=${cacheControl}` : NO_CACHE, 'cacheControl'),
      userMetadata: parseUserMetadata(fields.get('metadata') ?? ''),
    },
  }
}

/** As fast as the file is taken. */
async function feed(
  form: BusboyInstance,
  source: AsyncIterable<Uint8Array>,
  taken: () => Promise<unknown> | undefined,
): Promise<void> {
  for await (const chunk of source) {
    if (!form.write(chunk)) await happens(form, 'drain', taken())
  }
  form.end()
  await happens(form, 'finish', taken())
}

/**
 * The parser waits for nothing but the file that is being taken. What has not happened when that is settled and the loop
 * has gone round some more never will: the parser stops for good at a large part that it may not hand to anybody.
 */
async function happens(
  form: BusboyInstance,
  event: string,
  taken: Promise<unknown> | undefined,
): Promise<void> {
  const happened = once(form, event)
  const isNext = await Promise.race([happened.then(() => true), taken?.then(() => false) ?? false])
  if (!isNext) await Promise.race([happened, givenUp()])
}

const TURNS = 10

async function givenUp(): Promise<never> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn()
  throw broken()
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function* unbroken(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    throw broken(cause)
  }
}

/** The client's fault or the network's: not logged as a failure of ours. */
export function broken(cause?: unknown): StorageError {
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
  try {
    const metadata: unknown = JSON.parse(text)
    if (typeof metadata === 'object' && metadata !== null && !/\\u0000/.test(text) && text.isWellFormed()) {
      return { ...metadata }
    }
  } catch {
    // Answered below, like JSON that is not an object.
  }
  throw new StorageError('InvalidRequest', 'The metadata is not a JSON object')
}
