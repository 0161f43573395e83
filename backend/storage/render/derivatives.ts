import { availableParallelism } from 'node:os'

import type { Disk, StoredFile } from '../disk/disk.ts'
import { StorageError } from '../errors.ts'
import { derivativesFolder, objectKey, type ObjectRow } from '../objects/object-row.ts'
import { sniffStored } from '../uploads/content-sniffer.ts'
import { makePicture } from './make-picture.ts'
import { createQueue } from './queue.ts'
import type { PictureFormat, Transformation } from './transformation.ts'

/** Nobody needs more of one picture; somebody might ask for all of them to fill the disk. */
const KEPT_OF_EACH = 200

const RESIZABLE = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'image/tiff'])

export interface PictureWanted {
  object: ObjectRow
  transformation: Transformation
  format: PictureFormat
  /** In a size that pages ask for; others wait until none of these does. */
  isOffered: boolean
  /** Asked before the picture is made, not when a kept one is served. */
  requireMaking: () => Promise<void>
}

export type RenderPicture = (wanted: PictureWanted) => Promise<StoredFile>

/** Pictures in other sizes and formats, each made once and kept. */
export function createRenderer(disk: Disk): RenderPicture {
  const inFlight = new Map<string, Promise<StoredFile>>()
  // Half of the cores go on serving while pictures are made.
  const inQueue = createQueue({ atOnce: Math.max(1, Math.floor(availableParallelism() / 2)), waiting: 200 })

  async function make(key: string, { object, transformation, format }: PictureWanted): Promise<StoredFile> {
    const type = await sniffStored(disk, objectKey(object.version))
    if (!type || !RESIZABLE.has(type)) throw new StorageError('InvalidMimeType')
    const original = await new Response(disk.read(objectKey(object.version))).bytes()
    await disk.write(key, await makePicture(original, { transformation, format }))
    await prune(disk, derivativesFolder(object.version))
    const made = await disk.find(key)
    if (!made) throw new Error(`${key} vanished as soon as it was made`)
    return made
  }

  return async function renderPicture(wanted) {
    const key = derivativeKey(wanted)
    const kept = await disk.find(key)
    if (kept) return kept

    let making = inFlight.get(key)
    if (!making) {
      making = wanted
        .requireMaking()
        .then(() => inQueue(wanted.isOffered ? 'first' : 'later', () => make(key, wanted)))
        .finally(() => inFlight.delete(key))
      inFlight.set(key, making)
    }
    return making
  }
}

function derivativeKey({ object, transformation, format }: PictureWanted): string {
  const { width = 'auto', height = 'auto', resize, quality } = transformation
  return `${derivativesFolder(object.version)}/${width}x${height}-${resize}-q${quality}.${format}`
}

async function prune(disk: Disk, folder: string): Promise<void> {
  const kept = await disk.list(folder)
  const oldestFirst = kept.toSorted((a, b) => a.storedAt.getTime() - b.storedAt.getTime())
  for (const { key } of oldestFirst.slice(0, -KEPT_OF_EACH)) await disk.remove(key)
}
