import { whyUnavailable } from '#backend/database/unavailable.ts'
import type { FileStore, StoredFile } from '../files/file-store.ts'
import { StorageError } from '../errors.ts'
import { derivativeTag, type ServedFile } from '../objects/file-response.ts'
import { IMMUTABLE } from '../objects/public-redirect.ts'
import { derivativesFolder, type ObjectRow } from '../objects/object-row.ts'
import { createQueue } from '../render/queue.ts'
import { sniffStored } from '../uploads/content-sniffer.ts'
import { stripPng, stripWebp } from './chunks.ts'
import { blankedVideo, type FindBlanks } from './video.ts'
import { stripGif } from './gif.ts'
import { blankHeif } from './heif.ts'
import { stripJpeg } from './jpeg.ts'
import { findMp4Metadata } from './mp4.ts'
import { findWebmMetadata } from './webm.ts'

type Strip = (file: Buffer) => Buffer

const STRIP: Partial<Record<string, Strip>> = {
  'image/avif': blankHeif,
  'image/gif': stripGif,
  'image/heic': blankHeif,
  'image/heif': blankHeif,
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
}

const FIND_BLANKS: Partial<Record<string, FindBlanks>> = {
  'video/mp4': findMp4Metadata,
  'video/quicktime': findMp4Metadata,
  'video/webm': findWebmMetadata,
}

/** Drawings and formats that cameras do not write. */
const NON_CAMERA_TYPES = new Set(['image/svg+xml', 'image/bmp', 'image/x-icon', 'image/vnd.microsoft.icon'])

/** The name of the copy. A new one, because copies under the former name have the place where a JPEG has bytes that decoders skip. */
const PUBLIC_FACE = 'public-face-2'
export const FORMER_PUBLIC_FACE = 'public-face'

interface StripRequest {
  content: ServedFile
  isPublic: boolean
}

/**
 * Returns a cached copy of a picture or video without place, time and camera, for readers without an account. Authenticated
 * downloads return the original. Throws `InvalidMimeType` for a format whose metadata cannot be removed.
 */
export type StripMetadata = (object: ObjectRow, request: StripRequest) => Promise<ServedFile>

/** Several pictures of many megabytes in memory at once; a video occupies one place for as long as it is copied. */
const AT_ONCE = 4

/** Removes the metadata of a file once; concurrent requests share the result, so that they do not fill the memory. */
export function createMetadataStripper(files: FileStore): StripMetadata {
  const inFlight = new Map<string, Promise<Stripped>>()
  const inQueue = createQueue({ atOnce: AT_ONCE, waiting: 200 })

  return async function stripMetadata(object, { content, isPublic }) {
    const key = `${derivativesFolder(object.version, { isPublic })}/${PUBLIC_FACE}`
    const cached = await files.find(key)
    if (cached) return { ...content, ...copyOf(content, cached) }

    let stripping = inFlight.get(key)
    if (!stripping) {
      stripping = inQueue('first', () => strippedCopy(files, key, { object, content })).finally(() =>
        inFlight.delete(key),
      )
      inFlight.set(key, stripping)
    }
    return { ...content, ...(await stripping) }
  }
}

/** What differs from the original. */
type Stripped = Partial<Pick<ServedFile, 'key' | 'size' | 'bytes' | 'eTag' | 'lastModified'>>

/** A cache may ask by ETag or by date whether its copy is unchanged: both differ from those of a copy that an older version made. */
function copyOf(content: ServedFile, { key, size, storedAt }: StoredFile): Stripped {
  const lastModified = storedAt > content.lastModified ? storedAt : content.lastModified
  return { key, size, eTag: derivativeTag(content.eTag, key), lastModified }
}

async function strippedCopy(
  files: FileStore,
  key: string,
  { object, content }: { object: ObjectRow; content: ServedFile },
): Promise<Stripped> {
  // Sniffs the content first: a photograph uploaded as text would keep its metadata. An unrecognised file with a picture type
  // must parse as that type.
  const type = (await sniffStored(files, content.key)) ?? bareType(object.metadata.mimetype)
  const stripped = strippedContent(files, content.key, type)
  if (!stripped) return {}
  try {
    await write(files, { key, type }, stripped)
  } catch (error) {
    // A full disk must not hide stored pictures. A video may be too large for the memory.
    if (whyUnavailable(error) !== 'full' || !(stripped instanceof Promise)) throw error
    const bytes = Uint8Array.from(await stripped)
    return {
      ...copyOf(content, { key, size: bytes.byteLength, storedAt: new Date() }),
      key: content.key,
      bytes,
    }
  }
  const stored = await files.find(key)
  return copyOf(content, stored ?? { key, size: content.size, storedAt: new Date() })
}

/** Returns null for drawings and for files that are neither picture nor video. */
function strippedContent(files: FileStore, key: string, type: string): StrippedContent | null {
  const strip = STRIP[type]
  if (strip) return stripPicture(files, key, strip)
  const find = FIND_BLANKS[type]
  if (find) return blankedVideo(files, key, find)
  if (NON_CAMERA_TYPES.has(type) || !/^(image|video)\//.test(type)) return null
  throw new StorageError('InvalidMimeType', `Files of the type ${type} are not shown to the public`)
}

type StrippedContent = AsyncIterable<Uint8Array> | Promise<Uint8Array>

async function stripPicture(files: FileStore, key: string, strip: Strip): Promise<Uint8Array> {
  return strip(Buffer.from(await new Response(await files.read(key)).arrayBuffer()))
}

/** Refuses a file that does not parse as its type, because its metadata cannot be found. */
async function write(
  files: FileStore,
  { key, type }: { key: string; type: string },
  content: StrippedContent,
): Promise<void> {
  try {
    await files.write(key, await content, { contentType: type, cacheControl: IMMUTABLE })
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new StorageError('InvalidMimeType', 'The file is damaged', { cause })
  }
}

function bareType(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? ''
}
