import { availableParallelism } from 'node:os'

import type { Disk, StoredFile } from '../disk/disk.ts'
import { StorageError } from '../errors.ts'
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
  /** A size that pages use. It takes precedence over other sizes in the queue. */
  isOffered: boolean
  /** Throws when the rate limit is exceeded. Called before rendering, not on a cache hit. */
  requireRenderAllowed: () => Promise<void>
}

export type RenderPicture = (request: RenderRequest) => Promise<StoredFile>

/** Renders each size and format once and caches it on the disk; concurrent requests share one rendering. */
export function createRenderer(disk: Disk): RenderPicture {
  const inFlight = new Map<string, Promise<StoredFile>>()
  // Leaves half of the cores to requests while pictures are rendered.
  const inQueue = createQueue({ atOnce: Math.max(1, Math.floor(availableParallelism() / 2)), waiting: 200 })

  async function make(key: string, { object, transformation, format }: RenderRequest): Promise<StoredFile> {
    const type = await sniffStored(disk, objectKey(object.version))
    if (!type || !RESIZABLE.has(type)) throw new StorageError('InvalidMimeType')
    await disk.requireSpace()
    const original = await new Response(disk.read(objectKey(object.version))).bytes()
    await disk.write(key, await makePicture(original, { transformation, format }))
    await prune(disk, derivativesFolder(object.version))
    const made = await disk.find(key)
    if (!made) throw new Error(`${key} is missing after it was written`)
    return made
  }

  return async function renderPicture(request) {
    const key = derivativeKey(request)
    const cached = await disk.find(key)
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

function derivativeKey({ object, transformation, format }: RenderRequest): string {
  const { width = 'auto', height = 'auto', resize, quality } = transformation
  return `${derivativesFolder(object.version)}/${width}x${height}-${resize}-q${quality}.${format}`
}

async function prune(disk: Disk, folder: string): Promise<void> {
  const cached = await disk.list(folder)
  const oldestFirst = cached.toSorted((a, b) => a.storedAt.getTime() - b.storedAt.getTime())
  for (const { key } of oldestFirst.slice(0, -MAX_DERIVATIVES)) await disk.remove(key)
}
