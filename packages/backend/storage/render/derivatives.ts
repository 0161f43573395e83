import { availableParallelism } from 'node:os'

import type { FileStore, StoredFile } from '../files/file-store.ts'
import { StorageError } from '../errors.ts'
import { IMMUTABLE } from '../objects/public-redirect.ts'
import { derivativesFolder, objectKey, type ObjectRow } from '../objects/object-row.ts'
import { sniffStored } from '../uploads/content-sniffer.ts'
import { makePicture } from './make-picture.ts'
import { createQueue } from './queue.ts'
import type { PictureFormat, Transformation } from './transformation.ts'

/** Limits the derivatives of one picture: an attacker could request every size to fill the disk. */
const MAX_DERIVATIVES = 200

const RESIZABLE = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'image/tiff'])

interface RenderRequest {
  object: ObjectRow
  transformation: Transformation
  format: PictureFormat
  isPublic: boolean
  /** A size that pages use. It takes precedence over other sizes in the queue. */
  isOffered: boolean
  /** Throws when the rate limit is exceeded. Called before rendering, not on a cache hit. */
  requireRenderAllowed: () => Promise<void>
}

export type RenderPicture = (request: RenderRequest) => Promise<StoredFile>

/** Renders each size and format once and stores it for later requests; concurrent requests share one rendering. */
export function createRenderer(files: FileStore): RenderPicture {
  const inFlight = new Map<string, Promise<StoredFile>>()
  // Leaves half of the cores to requests while pictures are rendered.
  const inQueue = createQueue({ atOnce: Math.max(1, Math.floor(availableParallelism() / 2)), waiting: 200 })

  async function make(
    key: string,
    { object, transformation, format, isPublic }: RenderRequest,
  ): Promise<StoredFile> {
    const type = await sniffStored(files, objectKey(object.version))
    if (!type || !RESIZABLE.has(type)) throw new StorageError('InvalidMimeType')
    await files.requireSpace()
    const original = await new Response(await files.read(objectKey(object.version))).bytes()
    const picture = await makePicture(original, { transformation, format })
    await files.write(key, picture, { contentType: `image/${format}`, cacheControl: IMMUTABLE })
    await prune(files, derivativesFolder(object.version, { isPublic }))
    const made = await files.find(key)
    if (!made) throw new Error(`${key} is missing after it was written`)
    return made
  }

  return async function renderPicture(request) {
    const key = derivativeKey(request)
    const cached = await files.find(key)
    if (cached) return cached

    let making = inFlight.get(key)
    if (!making) {
      making = request
        .requireRenderAllowed()
        .then(() => inQueue(request.isOffered ? 'first' : 'later', () => make(key, request)))
        .finally(() => inFlight.delete(key))
      inFlight.set(key, making)
    }
    return making
  }
}

function derivativeKey({ object, transformation, format, isPublic }: RenderRequest): string {
  const { width = 'auto', height = 'auto', resize, quality } = transformation
  return `${derivativesFolder(object.version, { isPublic })}/${width}x${height}-${resize}-q${quality}.${format}`
}

async function prune(files: FileStore, folder: string): Promise<void> {
  const cached = await Array.fromAsync(files.list(folder))
  const oldestFirst = cached.toSorted((a, b) => a.storedAt.getTime() - b.storedAt.getTime())
  for (const { key } of oldestFirst.slice(0, -MAX_DERIVATIVES)) await files.remove(key)
}
